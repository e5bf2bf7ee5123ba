import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { valueOperations } from "./value_operations.ts";
import type { ValueInternals, ValueTools } from "./value_tools.ts";

/** The operations of chosen values. */
export const valueInterface: FeatureInterface<ValueTools & ValueInternals> = {
  operations: valueOperations,
  groups: [{ name: "values", title: "Chosen values", before: "clock" }],
};
