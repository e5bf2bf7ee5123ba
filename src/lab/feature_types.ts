// Written by `deno task generate`, from the folders of the features.
import type { AnyClientSetting } from "./features/any_client/config.ts";
import type { AnyGrantSetting } from "./features/any_grant/config.ts";
import type { AnyScopeSetting } from "./features/any_scope/config.ts";
import type { AnyUserSetting } from "./features/any_user/config.ts";
import type { ApiDrillTools } from "./features/api_drill/api_drill_tools.ts";
import type { CibaTools } from "./features/ciba/approvals.ts";
import type { ConsentTools } from "./features/consents/list_consents.ts";
import type { DocumentTools } from "./features/documents/feature.ts";
import type { DrillSetting } from "./features/drill/config.ts";
import type { DrillTools } from "./features/drill/feature.ts";
import type { EnterpriseSetting } from "./features/enterprise/config.ts";
import type { FaultSetting } from "./features/faults/config.ts";
import type { FaultTools } from "./features/faults/feature.ts";
import type { FlowFileTools } from "./features/flow_files/feature.ts";
import type { HookTools } from "./features/hooks/hook.ts";
import type { McpSetting } from "./features/mcp/config.ts";
import type { LabMcpTools } from "./features/mcp/feature.ts";
import type { MtlsTools } from "./features/mtls/feature.ts";
import type { ProviderSetting, ProvidersSetting } from "./features/providers/config.ts";
import type { RedirectStatusSetting } from "./features/redirect_status/config.ts";
import type { AnySecretMethodSetting } from "./features/registration/config.ts";
import type { ReplayTools } from "./features/replay/replay_request.ts";
import type { ReportTools } from "./features/report/feature.ts";
import type { ResponseTypesSetting } from "./features/response_types/config.ts";
import type { SessionTools } from "./features/sessions/list_sessions.ts";
import type { SnapshotTools } from "./features/snapshots/feature.ts";
import type { ValueTools } from "./features/values/feature.ts";
import type { WorkloadsSetting } from "./features/workloads/config.ts";
import type { WorkloadTools } from "./features/workloads/feature.ts";

export type * from "./features/any_client/types.ts";
export type * from "./features/any_grant/types.ts";
export type * from "./features/any_scope/types.ts";
export type * from "./features/any_user/types.ts";
export type * from "./features/api_drill/types.ts";
export type * from "./features/backchannel_logout/types.ts";
export type * from "./features/ciba/types.ts";
export type * from "./features/consents/types.ts";
export type * from "./features/documents/types.ts";
export type * from "./features/drill/types.ts";
export type * from "./features/enterprise/types.ts";
export type * from "./features/faults/types.ts";
export type * from "./features/flow_files/types.ts";
export type * from "./features/hooks/types.ts";
export type * from "./features/jwe/types.ts";
export type * from "./features/logout/types.ts";
export type * from "./features/mcp/types.ts";
export type * from "./features/mtls/types.ts";
export type * from "./features/providers/types.ts";
export type * from "./features/redirect_status/types.ts";
export type * from "./features/registration/types.ts";
export type * from "./features/replay/types.ts";
export type * from "./features/report/types.ts";
export type * from "./features/response_types/types.ts";
export type * from "./features/sessions/types.ts";
export type * from "./features/snapshots/types.ts";
export type * from "./features/values/types.ts";
export type * from "./features/workloads/types.ts";

/** The members for tests that features add. */
export interface FeatureTools
  extends
    CibaTools,
    ConsentTools,
    DocumentTools,
    FaultTools,
    HookTools,
    LabMcpTools,
    MtlsTools,
    WorkloadTools,
    ValueTools,
    ReplayTools,
    ReportTools,
    DrillTools,
    ApiDrillTools,
    FlowFileTools,
    SessionTools,
    SnapshotTools {}

/** The settings that no tenant has that features add. */
export interface WholeLabSettings extends ProvidersSetting, EnterpriseSetting {}

/** The settings of a lab or a tenant that features add. */
export interface FeaturePowers
  extends
    AnyClientSetting,
    AnyScopeSetting,
    AnyGrantSetting,
    AnyUserSetting,
    RedirectStatusSetting,
    ResponseTypesSetting,
    ProviderSetting,
    FaultSetting,
    McpSetting,
    AnySecretMethodSetting,
    WorkloadsSetting,
    DrillSetting {}
