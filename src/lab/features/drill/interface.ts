import type { LabMcpInternals } from "../../mcp/lab_mcp_tools.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { drillOperations } from "./drill_operations.ts";
import type { DrillInternals, DrillTools } from "./drill_tools.ts";
import { drillPages } from "./pages/drill_pages.tsx";

/** The operations and the page of the drill. */
export const drillInterface: FeatureInterface<DrillTools & DrillInternals & LabMcpInternals> = {
  operations: drillOperations,
  groups: [{ name: "drill", title: "Drill", before: "events" }],
  pages: drillPages,
  area: { name: "drill", label: "Drill", before: "clients" },
};
