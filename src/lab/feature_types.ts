// Written by `deno task generate`, from the folders of the features.
import type { ApiDrillTools } from "./features/api_drill/api_drill_tools.ts";
import type { DocumentTools } from "./features/documents/feature.ts";
import type { DrillTools } from "./features/drill/feature.ts";
import type { FaultTools } from "./features/faults/feature.ts";
import type { FlowFileTools } from "./features/flow_files/feature.ts";
import type { HookTools } from "./features/hooks/hook.ts";
import type { LabMcpTools } from "./features/mcp/feature.ts";
import type { MtlsTools } from "./features/mtls/feature.ts";
import type { ReplayTools } from "./features/replay/replay_request.ts";
import type { ReportTools } from "./features/report/feature.ts";
import type { SessionTools } from "./features/sessions/list_sessions.ts";
import type { SnapshotTools } from "./features/snapshots/feature.ts";
import type { ValueTools } from "./features/values/feature.ts";

export type * from "./features/api_drill/types.ts";
export type * from "./features/backchannel_logout/types.ts";
export type * from "./features/documents/types.ts";
export type * from "./features/drill/types.ts";
export type * from "./features/faults/types.ts";
export type * from "./features/flow_files/types.ts";
export type * from "./features/hooks/types.ts";
export type * from "./features/jwe/types.ts";
export type * from "./features/logout/types.ts";
export type * from "./features/mcp/types.ts";
export type * from "./features/mtls/types.ts";
export type * from "./features/replay/types.ts";
export type * from "./features/report/types.ts";
export type * from "./features/sessions/types.ts";
export type * from "./features/snapshots/types.ts";
export type * from "./features/values/types.ts";

/** The members for tests that features add. */
export interface FeatureTools
  extends
    DocumentTools,
    FaultTools,
    HookTools,
    LabMcpTools,
    MtlsTools,
    ValueTools,
    ReplayTools,
    ReportTools,
    DrillTools,
    ApiDrillTools,
    FlowFileTools,
    SessionTools,
    SnapshotTools {}
