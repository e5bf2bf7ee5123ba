export type { ApiDrillResult } from "./api_drill_result.ts";
export type { ApiDrill, ApiDrillOptions, ApiDrillTools, ApiHandler } from "./api_drill_tools.ts";
