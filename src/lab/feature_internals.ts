// Written by `deno task generate`, from the folders of the features.
import type { AgentInternals } from "./features/agents/run_tool.ts";
import type { AnyGrantInternals } from "./features/any_grant/feature.ts";
import type { ApiDrillInternals } from "./features/api_drill/api_drill_tools.ts";
import type { DocumentInternals } from "./features/documents/feature.ts";
import type { DrillInternals } from "./features/drill/feature.ts";
import type { AddedClientInternals } from "./features/redirect_uris/feature.ts";
import type { ReportInternals } from "./features/report/feature.ts";
import type { ValueInternals } from "./features/values/feature.ts";
import type { VerdictInternals } from "./features/verdicts/feature.ts";

/** The members for pages and program that features add. */
export interface FeatureInternals
  extends
    AnyGrantInternals,
    AddedClientInternals,
    DocumentInternals,
    ValueInternals,
    ReportInternals,
    VerdictInternals,
    DrillInternals,
    ApiDrillInternals,
    AgentInternals {}
