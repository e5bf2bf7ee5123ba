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

export type { ApiDrill, ApiDrillTools, ApiHandler } from "./features/api_drill/api_drill_tools.ts";
export type { ApiDrillResult } from "./features/api_drill/api_drill_result.ts";
export type { ApiDrillOptions } from "./features/api_drill/api_drill_tools.ts";
export type { ClientDocument, HostedMetadata } from "./features/documents/client_documents.ts";
export type { DocumentTools } from "./features/documents/feature.ts";
export type { DrillTools } from "./features/drill/feature.ts";
export type { DrillEvent } from "./features/drill/recording.ts";
export type { DrillApplication } from "./features/drill/application_login.ts";
export type { DrillLogin, McpDrillOptions } from "./features/drill/drill_result.ts";
export type { DrillResult } from "./features/drill/drill_result.ts";
export type { DrillOutcome } from "./features/drill/variants/drill_outcome.ts";
export type {
  AfterLogin,
  DrillVariant,
  Expectation,
} from "./features/drill/variants/drill_variant.ts";
export type {
  ChosenValues,
  ChosenValuesState,
  ValueChoice,
  ValueOptions,
} from "./features/values/chosen_values.ts";
export type { ValueTools } from "./features/values/feature.ts";
export type { CallbackFaultName } from "./features/faults/callback_faults.ts";
export type { FaultName } from "./features/faults/catalogue.ts";
export type {
  DocumentFaultName,
  UserinfoFaultName,
  UserinfoForgery,
} from "./features/faults/document_faults.ts";
export type {
  Fault,
  FaultOptions,
  PreparedResponse,
  QueuedResponse,
  RemovableFault,
} from "./features/faults/fault.ts";
export type { FaultTools } from "./features/faults/feature.ts";
export type { FaultList } from "./features/faults/faults.ts";
export type { HttpFaultName, HttpMisbehavior } from "./features/faults/http_faults.ts";
export type { IdJagFaultName } from "./features/faults/id_jag_faults.ts";
export type { JarmFaultName, JarmForgery } from "./features/faults/jwt_faults.ts";
export type { IdTokenForgery, JwtFaultName, JwtForgery } from "./features/faults/jwt_faults.ts";
export type { CommonForgery } from "./features/faults/jwt_forgery.ts";
export type { KeyFaultName } from "./features/faults/key_faults.ts";
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
  HookState,
  ResponseDraft,
  UserinfoDraft,
} from "./features/hooks/hook.ts";
export type { HookTools } from "./features/hooks/hook.ts";
export type {
  EncryptionFaultName,
  EncryptionForgery,
  IdTokenEncryptionForgery,
} from "./features/jwe/faults.ts";
export type { McpFaultName } from "./features/mcp/faults.ts";
export type { McpFaultPlace } from "./features/mcp/responses.ts";
export type { LabMcpTools } from "./features/mcp/feature.ts";
export type { McpOptions, McpServer, McpTool } from "./features/mcp/mcp_tool.ts";
export type { ClientCertificate } from "./features/mtls/certificates.ts";
export type { ConnectedCertificate, MtlsTools } from "./features/mtls/feature.ts";
export type { Replay } from "./features/replay/compare_exchanges.ts";
export type { ReplayChanges, ReplayMethod } from "./features/replay/replay_changes.ts";
export type { ReplayTools } from "./features/replay/replay_request.ts";
export type { RequestDifference } from "./features/replay/request_differences.ts";
export type { RuleDifference, RuleVerdict } from "./features/replay/compare_exchanges.ts";
export type { ChangedClaims, SignedChanges } from "./features/replay/replay_changes.ts";
export type { ClientGrade, Grade } from "./features/report/grades.ts";
export type { RefusedRequest } from "./features/report/refused_requests.ts";
export type { CleanOptions } from "./features/report/config.ts";
export type { Report } from "./features/report/report.ts";
export type { ReportTools } from "./features/report/feature.ts";
export type {
  LabSession,
  ListedSession,
  ListedTokens,
  SessionFilter,
  SessionTokens,
  SessionTools,
} from "./features/sessions/list_sessions.ts";
export type { SnapshotTools } from "./features/snapshots/feature.ts";

/** What the features of a lab add for tests. */
export interface FeatureTools
  extends
    ApiDrillTools,
    DocumentTools,
    DrillTools,
    FaultTools,
    FlowFileTools,
    HookTools,
    LabMcpTools,
    MtlsTools,
    ReplayTools,
    ReportTools,
    SessionTools,
    SnapshotTools,
    ValueTools {}
