import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { hookOperations } from "./hook_operations.ts";
import type { HookInternals, HookTools } from "./hook_tools.ts";

/** The operations that change responses and add claims. */
export const hookInterface: FeatureInterface<HookTools & HookInternals> = {
  operations: hookOperations,
  groups: [
    { name: "changes", title: "Changed responses", before: "clock" },
    { name: "claims", title: "Claims", before: "clock" },
  ],
};
