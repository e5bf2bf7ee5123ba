import type { DrillTools } from "./features/drill/drill_tools.ts";

export type { DrillTools } from "./features/drill/drill_tools.ts";
export type { DrillApplication } from "./features/drill/application_login.ts";
export type { DrillLogin, McpDrillOptions } from "./features/drill/drill_progress.ts";
export type { DrillResult } from "./features/drill/drill_result.ts";

/** What the features of a lab add for tests. */
export interface FeatureTools extends DrillTools {}
