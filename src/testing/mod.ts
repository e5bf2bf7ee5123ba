/**
 * An authorization server for tests: in process, without a port, with faults, a movable clock, and
 * a report on what your client did wrong.
 *
 * @example
 * ```ts
 * import { hallpass } from "@hallpass/hallpass/testing";
 *
 * await using lab = await hallpass();
 * const { access_token } = await lab.mint({ sub: "alice", scope: "openid", expiresIn: "10m" });
 * const headers = { Authorization: `Bearer ${access_token}` };
 * lab.clock.advance("11m");
 * const response = await lab.fetch(`${lab.issuer}/oauth2/userinfo`, { headers });
 * console.log(response.status); // 401
 * ```
 *
 * @module
 */

export { hallpass } from "./hallpass.ts";
export type { HallpassOptions } from "./hallpass.ts";
export type { Interception, InterceptOptions } from "./intercept.ts";
export type { PlaywrightRequest, PlaywrightResponse, PlaywrightRoute } from "./playwright.ts";
export { storeContract } from "./store_contract.ts";
export type { StoreContractCase } from "./store_contract.ts";
export type { LabRequestInit, TestLab } from "./test_lab.ts";

// The configuration
export type { Config } from "../config/config.ts";
export type {
  ClientKind,
  ConcernedIds,
  EventRequest,
  RequestFacts,
} from "../config/event_request.ts";
export type { RequestedPath, ServerEvent, ServerEventListener } from "../config/events.ts";
export type { TraceContext } from "../http/trace_context.ts";
export type { PathsConfig } from "../config/paths_config.ts";
export type { UserConfig } from "../config/user_config.ts";
export type { LabTools, TenantConfig } from "../lab/lab.ts";
export { LabError } from "../lab/lab_error.ts";
export type { FiredFault, LabEvent, RecordedExchange } from "../lab/lab_event.ts";
export type { LabScopes } from "../lab/lab_scopes.ts";
export type { LabConfig, LabPowers, LabServerConfig } from "../lab/lab_server.ts";
export type { ClientConfig } from "../model/client_config.ts";
export type { Duration } from "../util/duration.ts";

// People and clients
export type { TokenResponse } from "../issuer/tokens/issue_tokens.ts";
export type { RefreshExpiration } from "../issuer/tokens/refresh_tokens.ts";
export type { SignInOptions } from "../lab/browser/hands_free.ts";
export type {
  AuthorizationResult,
  HeadlessBrowser,
  UserActions,
} from "../lab/browser/headless_browser.ts";
export type { Directory } from "../lab/directory.ts";
export type { MintedTokens } from "../lab/mint.ts";
export type { MintKind, MintOptions } from "../lab/mint_options.ts";
export type { AuthorizationDetail } from "../model/access_rights.ts";
export type { TokenScheme } from "../protocol/oauth_error.ts";

// Time
export type { LabClock } from "../lab/clock.ts";

// Hooks
export type {
  Hook,
  HookChange,
  HookDrafts,
  HookPoint,
  HookRequest,
  HookScope,
  RedirectDraft,
  ResponseDraft,
  TokenDraft,
  UserinfoDraft,
} from "../lab/hooks/hook.ts";

// Faults
export type { DrillApplication } from "../lab/drill/application_login.ts";
export type { DrillOutcome, DrillResult } from "../lab/drill/drill.ts";
export type { DrillLogin } from "../lab/drill/drill_progress.ts";
export type { DrillVariant } from "../lab/drill/variants.ts";
export type { CallbackFaultName } from "../lab/faults/callback_faults.ts";
export type { FaultName } from "../lab/faults/catalogue.ts";
export type { CountedFaultName } from "../lab/faults/counted_faults.ts";
export type { DocumentFaultName } from "../lab/faults/document_faults.ts";
export type { Fault, FaultOptions, PreparedResponse, QueuedResponse } from "../lab/faults/fault.ts";
export type { CountedScope, FlowScope } from "../lab/faults/flow_scope.ts";
export type { FaultList } from "../lab/faults/faults.ts";
export type { HttpFaultName, HttpMisbehavior } from "../lab/faults/http_faults.ts";
export type { IdTokenForgery, JwtFaultName, JwtForgery } from "../lab/faults/jwt_faults.ts";
export type { FaultPlace } from "../lab/faults/places.ts";
export type { TokenFaultName } from "../lab/faults/token_faults.ts";

// Evidence
export type { RecordedRequest, RecordedResponse } from "../lab/recording/recorded_request.ts";
export type { Refusal } from "../lab/recording/refusal.ts";
export type { ExchangeFilter, RequestFilter } from "../lab/recording/recorder.ts";
export type { FlowStep, FlowStepName, FlowTrace } from "../lab/recording/timeline.ts";
export type { WaitOptions } from "../lab/recording/wait_for_request.ts";
export type { ClientGrade, Grade } from "../lab/report/grades.ts";
export type { RefusedRequest } from "../lab/report/refused_requests.ts";
export type { CleanOptions, Report } from "../lab/report/report.ts";
export type { Evidence, ReportFinding } from "../lab/report/report_rule.ts";
