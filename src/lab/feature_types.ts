import type { DrillTools } from "./features/drill/drill_tools.ts";
import type { ValueTools } from "./features/values/value_tools.ts";

export type { DrillTools } from "./features/drill/drill_tools.ts";
export type { DrillApplication } from "./features/drill/application_login.ts";
export type { DrillLogin, McpDrillOptions } from "./features/drill/drill_progress.ts";
export type { DrillResult } from "./features/drill/drill_result.ts";
export type {
  ChosenValues,
  ChosenValuesState,
  ValueChoice,
  ValueOptions,
} from "./features/values/chosen_values.ts";
export type { ValueTools } from "./features/values/value_tools.ts";

/** What the features of a lab add for tests. */
export interface FeatureTools extends DrillTools, ValueTools {}
