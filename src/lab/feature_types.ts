// Written by `deno task generate`, from the folders of the features.
import type { AnyClientSetting } from "./features/any_client/config.ts";
import type { AnyGrantSetting } from "./features/any_grant/config.ts";
import type { AnyScopeSetting } from "./features/any_scope/config.ts";
import type { AnyUserSetting } from "./features/any_user/config.ts";
import type { ApiDrillTools } from "./features/api_drill/api_drill_tools.ts";
import type { CibaTools } from "./features/ciba/approvals.ts";
import type { ConsentTools } from "./features/consents/list_consents.ts";
import type { DocumentTools } from "./features/documents/feature.ts";
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
import type { ReportTools } from "./features/report/feature.ts";
import type { ResponseTypesSetting } from "./features/response_types/config.ts";
import type { SessionTools } from "./features/sessions/list_sessions.ts";
import type { SnapshotTools } from "./features/snapshots/feature.ts";
import type { ValueTools } from "./features/values/feature.ts";
import type { DrillSetting } from "./features/verdicts/config.ts";
import type { WorkloadsSetting } from "./features/workloads/config.ts";
import type { WorkloadTools } from "./features/workloads/feature.ts";

export type * from "./features/any_client/config.ts";
export type * from "./features/any_grant/config.ts";
export type * from "./features/any_scope/config.ts";
export type * from "./features/any_user/config.ts";
export type { ApiDrillResult } from "./features/api_drill/api_drill_result.ts";
export type {
  ApiDrill,
  ApiDrillOptions,
  ApiDrillTools,
  ApiHandler,
} from "./features/api_drill/api_drill_tools.ts";
export type {
  LogoutTokenFaultName,
  LogoutTokenForgery,
} from "./features/backchannel_logout/faults.ts";
export type { Approval, CibaTools } from "./features/ciba/approvals.ts";
export type { ApproveCall, ApproveOptions } from "./features/ciba/calls.ts";
export type { CibaFaultName } from "./features/ciba/faults.ts";
export type {
  ConsentFilter,
  ConsentTools,
  LabConsent,
  ListedConsent,
} from "./features/consents/list_consents.ts";
export type { ClientDocument, HostedMetadata } from "./features/documents/client_documents.ts";
export type { DocumentTools } from "./features/documents/feature.ts";
export type { DrillApplication } from "./features/drill/application_login.ts";
export type * from "./features/drill/browser/playwright_types.ts";
export type { LoginCheckName } from "./features/drill/compare_logins.ts";
export type {
  BrowsedApplication,
  DrillLogin,
  DrillResult,
  McpDrillOptions,
} from "./features/drill/drill_result.ts";
export type { DrillTools } from "./features/drill/feature.ts";
export type { AfterLogin } from "./features/drill/login_steps.ts";
export type { DrillName } from "./features/drill/select_tries.ts";
export type { SessionCheckName } from "./features/drill/session_check.ts";
export type { DrillOutcome } from "./features/drill/variants/drill_outcome.ts";
export type { DrillVariant, Expectation } from "./features/drill/variants/drill_variant.ts";
export type * from "./features/enterprise/config.ts";
export type { CallbackFaultName } from "./features/faults/callback_faults.ts";
export type { FaultName } from "./features/faults/catalogue.ts";
export type { ChangedFaultName } from "./features/faults/changed_responses.ts";
export type {
  FaultOptions,
  FaultSetting,
  PreparedResponse,
  ResponseChange,
} from "./features/faults/config.ts";
export type {
  DocumentFaultName,
  UserinfoFaultName,
  UserinfoForgery,
} from "./features/faults/document_faults.ts";
export type { Fault, QueuedResponse, RemovableFault } from "./features/faults/fault.ts";
export type { FaultList } from "./features/faults/faults.ts";
export type { FaultTools } from "./features/faults/feature.ts";
export type { HeaderKeyFaultName } from "./features/faults/header_key_faults.ts";
export type { HttpFaultName, HttpMisbehavior } from "./features/faults/http_faults.ts";
export type { IdJagFaultName } from "./features/faults/id_jag_faults.ts";
export type {
  IdTokenForgery,
  JarmFaultName,
  JarmForgery,
  JwtFaultName,
  JwtForgery,
} from "./features/faults/jwt_faults.ts";
export type { CommonForgery } from "./features/faults/jwt_forgery.ts";
export type { KeyFaultName } from "./features/faults/key_faults.ts";
export type { ProductionFaultName } from "./features/faults/production_faults.ts";
export type {
  CountedFaultName,
  RefreshFaultName,
  TokenFaultName,
} from "./features/faults/token_faults.ts";
export type { FlowFileTools } from "./features/flow_files/feature.ts";
export type {
  Hook,
  HookChange,
  HookDrafts,
  HookPoint,
  HookRequest,
  HookScope,
  HookTools,
  ResponseDraft,
  UserinfoDraft,
} from "./features/hooks/hook.ts";
export type {
  EncryptionFaultName,
  EncryptionForgery,
  IdTokenEncryptionForgery,
} from "./features/jwe/faults.ts";
export type { LogoutFaultName } from "./features/logout/faults.ts";
export type * from "./features/mcp/config.ts";
export type { McpFaultName } from "./features/mcp/faults.ts";
export type { LabMcpTools } from "./features/mcp/feature.ts";
export type { McpOptions, McpServer, McpTool } from "./features/mcp/mcp_tool.ts";
export type { ClientCertificate } from "./features/mtls/certificates.ts";
export type { ConnectedCertificate, MtlsTools } from "./features/mtls/feature.ts";
export type {
  PresetFile,
  PresetFileFact,
  PresetPath,
  ProviderChoice,
  ProviderName,
  ProviderSetting,
  ProvidersSetting,
} from "./features/providers/config.ts";
export type * from "./features/redirect_status/config.ts";
export type { AnySecretMethodSetting } from "./features/registration/config.ts";
export type { CleanOptions } from "./features/report/calls.ts";
export type { ReportTools } from "./features/report/feature.ts";
export type { RefusedRequest } from "./features/report/refused_requests.ts";
export type { Report } from "./features/report/report.ts";
export type { ReportedClient } from "./features/report/reported_clients.ts";
export type { ResponseTypesSetting } from "./features/response_types/config.ts";
export type {
  LabSession,
  ListedSession,
  ListedTokens,
  SessionFilter,
  SessionTokens,
  SessionTools,
} from "./features/sessions/list_sessions.ts";
export type { SnapshotTools } from "./features/snapshots/feature.ts";
export type {
  ChosenValues,
  ChosenValuesState,
  ValueChoice,
  ValueOptions,
} from "./features/values/chosen_values.ts";
export type { ValueTools } from "./features/values/feature.ts";
export type { Acknowledgement, DrillSetting } from "./features/verdicts/config.ts";
export type * from "./features/workloads/config.ts";
export type { PlayedWorkload } from "./features/workloads/describe_workloads.ts";
export type { WorkloadFaultName } from "./features/workloads/faults.ts";
export type { WorkloadTools } from "./features/workloads/feature.ts";
export type { WorkloadSource } from "./features/workloads/source_paths.ts";

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
