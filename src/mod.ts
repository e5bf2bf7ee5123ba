export { createServer } from "./server.ts";
export type { Server } from "./server.ts";

// What a configuration is made of.
export type { ClientConfig, TokenExchangeConfig } from "./model/client_config.ts";
export type { Config, InsecureConfig } from "./config/config.ts";
export { ConfigError } from "./config/config_error.ts";
export type { Duration } from "./util/duration.ts";
export type { ServerEvent } from "./config/events.ts";
export type { Lifetimes } from "./config/lifetimes.ts";
export type {
  AllowConfig,
  RegistrationConfig,
  RegistrationPolicy,
} from "./config/registration_config.ts";
export type { ResourceConfig } from "./config/resource_config.ts";
export type { TrustedIssuer as TrustedIssuerConfig } from "./protocol/bearer_assertion.ts";
export type { UserConfig } from "./config/user_config.ts";
export type { OutboundFetch, OutboundRequest } from "./http/outbound_fetch.ts";
export type {
  AuthorizationDetailField,
  AuthorizationDetailFields,
  AuthorizationDetailType,
} from "./protocol/authorization_details.ts";

// Policies of an operator's own.
export type { KeyMaker } from "./config/key_maker.ts";
export type { Passwords } from "./config/passwords.ts";
export { pbkdf2Passwords } from "./config/passwords.ts";
export type {
  Authenticate,
  Policies,
  RequestedSignIn,
  SignInResult,
  UserLookup,
} from "./config/policies.ts";
export type { Claims } from "./model/claims.ts";
export type { FormParameters } from "./protocol/form_parameters.ts";
export type { User } from "./model/user.ts";

// Pages of an operator's own.
export type { AccountProps } from "./pages/account.tsx";
export type { AuthorizedProps } from "./pages/authorized.tsx";
export type { ConsentProps } from "./pages/consent.tsx";
export type { DeviceProps } from "./pages/device.tsx";
export type { DeviceDoneProps } from "./pages/device_done.tsx";
export type { ErrorProps } from "./pages/error.tsx";
export type { FormPostProps } from "./pages/form_post.tsx";
export type { FrameProps } from "./pages/frame.tsx";
export type { HomeProps } from "./pages/home.tsx";
export type { Page } from "./pages/page.ts";
export type { Pages } from "./pages/pages.ts";
export type { SelectAccountProps } from "./pages/select_account.tsx";
export type { SignInProps } from "./pages/sign_in.tsx";
export type { SignOutProps } from "./pages/sign_out.tsx";
export type { SignedOutProps } from "./pages/signed_out.tsx";

// Routes of an operator's own.
export type { RouteConfig, RouteContext, RouteHandler, RouteKind } from "./config/route_config.ts";
export type { ErrorCode, ErrorDetails } from "./protocol/oauth_error.ts";
export { OAuthError } from "./protocol/oauth_error.ts";

// Stores of an operator's own.
export { memoryStore } from "./store/memory.ts";
export type { ListOptions, Row, Store } from "./store/store.ts";
