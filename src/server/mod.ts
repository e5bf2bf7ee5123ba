/**
 * An OAuth 2.1 and OpenID Connect authorization server on web-standard `Request` and `Response`. It
 * runs wherever they do: on Deno, Bun, Node, at the edge and in a browser.
 *
 * @example
 * ```ts
 * import { createServer } from "@hallpass/hallpass";
 *
 * const server = createServer({
 *   issuer: "https://id.example",
 *   clients: [{ id: "web", redirectUris: ["https://app.example/callback"] }],
 *   users: [{ name: "alice", password: "a long password" }],
 * });
 * const metadata = await server.fetch(
 *   new Request("https://id.example/.well-known/openid-configuration"),
 * );
 * console.log(await metadata.json());
 * ```
 *
 * @module
 */

export { createServer, standardSchema } from "./features.ts";
export type { SchemaIssue, StandardSchema } from "./config/standard_schema.ts";
export type { Server } from "./server.ts";

// The configuration
export type * from "./full_config.ts";
export type { CoreConfig } from "./config/config.ts";
export type { InsecureConfig } from "./config/insecure_config.ts";
export type { ScopeConfig } from "./config/access_config.ts";
export type { CoreLifetimesConfig } from "./config/lifetimes_config.ts";
export { ConfigError } from "./config/problems.ts";
export type {
  ClientKind,
  ConcernedIds,
  EventRequest,
  LoggedDetails,
  Remedy,
  RequestFacts,
} from "./config/events.ts";
export type { RequestedPath, ServerEvent, ServerEventListener } from "./config/events.ts";
export type { TraceContext } from "./http/trace_context.ts";
export type { CorePathsConfig } from "./config/paths_config.ts";
export type { ResourceConfig } from "./config/access_config.ts";
export type { SigningKeyConfig } from "./config/signing_key_config.ts";
export type { UserConfig } from "./config/user_config.ts";
export type { OutboundFetch, OutboundRequest } from "./http/outbound_fetch.ts";
export type {
  ClientAuthenticationMethod,
  CoreClientConfig,
  ResponseMode,
} from "./model/client_config.ts";
export type { DecryptionAlgorithm, IdTokenAlgorithm, SigningAlgorithm } from "./model/signing.ts";
export type {
  AuthorizationDetailField,
  AuthorizationDetailFields,
  AuthorizationDetailType,
} from "./protocol/authorization_detail_types.ts";
export type { DpopAlgorithm } from "./protocol/dpop_proof.ts";
export type { Duration } from "./util/time/duration.ts";
// JSON Web Keys, as the package jose describes them
export type {
  JWEContentEncryptionAlgorithm,
  JWEKeyManagementAlgorithm,
  JWK,
  JWKKeyType,
  JWSAlgorithm,
} from "jose";

// Policies of your own
export type { KeyMaker } from "./config/policies.ts";
export type { Passwords } from "./config/passwords.ts";
export { pbkdf2Passwords } from "./config/passwords.ts";
export type {
  Authenticate,
  ClaimsPolicy,
  Policies,
  PolicyClient,
  RequestedSignIn,
  ScopePolicy,
  SignInResult,
  UserLookup,
} from "./config/policies.ts";
export type { Claims, ClaimTarget, ClaimTargets } from "./model/claims.ts";
export type { LocalizedText } from "./util/text/user_text.ts";
export type { PasswordLink, User } from "./model/user.ts";
export type { FormParameters } from "./protocol/form_parameters.ts";

// Pages of your own
export type { DescribedDetail } from "./pages/access_detail.tsx";
export type { AccessListProps, DescribedClaim, DescribedScope } from "./pages/access_list.tsx";
export type { ConsentCaution, ConsentProps, ConsentQuestionProps } from "./pages/consent.tsx";
export type { ErrorContinuation, ErrorProps } from "./pages/error.tsx";
export type { FormPostProps } from "./pages/form_post.tsx";
export type { EndpointLink, HomeProps } from "./pages/home.tsx";
export type { Language } from "./pages/languages/languages.ts";
export type { ErrorKind, Words } from "./pages/languages/en.ts";
export type { Content, FrameProps, GuardedForm, Page } from "./pages/frame.tsx";
export type { CorePages } from "./pages/pages.ts";
export type { AccountForm, SelectAccountProps } from "./pages/select_account.tsx";
export type { SignInProps } from "./pages/sign_in.tsx";
export type { SignedOutProps } from "./pages/signed_out.tsx";
export type {
  AboutClientProps,
  ClientLink,
  ClientWarningProps,
  DescribedUser,
} from "./pages/parties.tsx";
export type { Brand } from "./pages/brand.ts";
export type { DescribedField } from "./protocol/authorization_details.ts";
export type { UntrustedClientNotice } from "./protocol/client_trust.ts";

// Routes of your own
export type { RouteConfig, RouteContext, RouteHandler, RouteKind } from "./config/route_config.ts";
export type {
  Challenge,
  ErrorCode,
  ErrorDetails,
  Refusal,
  RuleSummary,
  TokenScheme,
} from "./protocol/oauth_error.ts";
export { OAuthError } from "./protocol/oauth_error.ts";
export type { AppliedRule } from "./protocol/rule.ts";

// Stores of your own
export { memoryStore } from "./store/memory.ts";
export type {
  BatchedCall,
  BatchedMethod,
  BatchedResult,
  ListOptions,
  PutCondition,
  Row,
  Store,
  StoreSize,
} from "./store/store.ts";
