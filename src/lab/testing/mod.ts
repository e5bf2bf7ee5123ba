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

export { hallpass, type HallpassOptions } from "./hallpass.ts";
export type { Interception, InterceptOptions } from "./intercept.ts";
export type {
  PlaywrightRequest,
  PlaywrightResponse,
  PlaywrightRoute,
  RoutedPage,
} from "../browser/playwright.ts";
export { createProvider, type Provider, type ProviderCallback } from "./provider.ts";
export { storeContract, type StoreContractCase } from "./store_contract.ts";
export type { LabRequestInit, TestLab } from "./test_lab.ts";

// The configuration
export type { CoreConfig } from "../../server/config/config.ts";
export type { ClientConfig, Config, PathsConfig } from "../../server/features.ts";
export type {
  ClientKind,
  ConcernedIds,
  EventRequest,
  RequestedPath,
  RequestFacts,
  ServerEvent,
  ServerEventListener,
} from "../../server/config/events.ts";
export type { TraceContext } from "../../server/http/trace_context.ts";
export type { CorePathsConfig } from "../../server/config/paths_config.ts";
export type { UserConfig } from "../../server/config/user_config.ts";
export type { CoreTools } from "../core/core_lab.ts";
export type { LabTools } from "../lab.ts";
export type * from "../feature_types.ts";
export type { CoreTenantConfig, TenantOptions } from "../core/tenant_config.ts";
export type * from "../dialect/response_settings.ts";
export type * from "../dialect/place_settings.ts";
export type { CredentialForm, CredentialForms, SubjectForm } from "../dialect/identifier_forms.ts";
export type { Dialect } from "../dialect/dialect.ts";
export type * from "../dialect/request_settings.ts";
export { LabError } from "../util/lab_error.ts";
export type { DrillEvent, FiredFault, LabEvent, RecordedExchange } from "../recording/lab_event.ts";
export type { LabScopes } from "../lab_server/lab_scopes.ts";
export type * from "../lab_config.ts";
export type * from "../lab_server/core_lab_config.ts";
export type { Duration } from "../../server/util/time/duration.ts";

// People and clients
export type { TokenResponse } from "../../server/issuer/tokens/issue_tokens.ts";
export type { SignInOptions } from "../sign_in/hands_free.ts";
export type { SignInDetails, UnaskedDecision } from "../util/user_choices.ts";
export type { AuthorizationResult } from "../browser/authorization_result.ts";
export type { HeadlessBrowser } from "../browser/headless_browser.ts";
export type { UserActions } from "../browser/user_actions.ts";
export type { Directory } from "../lab_server/directory.ts";
export type { MintedTokens } from "../tokens/mint.ts";
export type { MintCodeOptions, MintedCode } from "../tokens/mint_code.ts";
export type { MintKind, MintOptions } from "../tokens/mint_options.ts";
export type { AuthorizationDetail } from "../../server/model/access_token.ts";
export type { TokenScheme } from "../../server/protocol/oauth_error.ts";

// Clients of the Model Context Protocol
export type { VerifiedAccess } from "../../resource/verified_access.ts";

// Time
export type { LabClock } from "../util/clock.ts";

// Chosen values
export type {
  DrillGrade,
  GradedApi,
  GradedApplication,
  LabRemarks,
  ValueUse,
} from "../core/remarks.ts";
export type { ValueKind } from "../tokens/value_form.ts";

// Hooks
export type { TokenDraft } from "../tokens/signed_tokens.ts";

// Faults
export type { CountedScope, FlowScope } from "../recording/flow_scope.ts";
export type { RedirectDraft } from "../responses/part.ts";
export type { FaultPlace, McpFaultPlace } from "../responses/places.ts";

// Evidence
export type { Basis, Check, Finding, FindingPlace } from "../findings/finding.ts";
export type { FindingGrade, Grade } from "../findings/grade.ts";
export type { Untested, Verdict, VerdictNote } from "../findings/verdict.ts";
export type { RecordedRequest, RecordedResponse } from "../recording/recorded_request.ts";
export type { Refusal } from "../recording/refusal.ts";
export type { ExchangeFilter, RequestFilter } from "../recording/recorder.ts";
export type { TenantClient } from "../recording/tenant_client.ts";
export type { FlowStep, FlowStepName, FlowTrace } from "../recording/timeline.ts";
export type { WaitOptions } from "../recording/wait_for_request.ts";
