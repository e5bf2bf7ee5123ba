import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { faultOperations } from "./fault_operations.ts";
import type { FaultTools } from "./fault_tools.ts";
import { faultPages } from "./pages/fault_pages.tsx";

/** The operations and the switchboard of faults. */
export const faultInterface: FeatureInterface<FaultTools> = {
  operations: faultOperations,
  groups: [
    { name: "faults", title: "Faults", before: "clock" },
    { name: "responses", title: "Prepared responses", before: "clock" },
  ],
  pages: faultPages,
  area: {
    name: "faults",
    label: "Break",
    before: "tokens",
    count: ({ faults }) => faults.list().length,
  },
};
