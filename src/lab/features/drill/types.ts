export type { DrillApplication } from "./application_login.ts";
export type { DrillLogin, DrillResult, McpDrillOptions } from "./drill_result.ts";
export type { DrillTools } from "./feature.ts";
export type { LoginCheckName } from "./compare_logins.ts";
export type { DrillName } from "./select_tries.ts";
export type { SessionCheckName } from "./session_check.ts";
export type { DrillOutcome } from "./variants/drill_outcome.ts";
export type { AfterLogin, DrillVariant, Expectation } from "./variants/drill_variant.ts";
export type { DrillSetting } from "./config.ts";
