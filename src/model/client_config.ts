import type { JWK } from "jose";
import type { Duration } from "../util/duration.ts";
import type { ClientAuthenticationMethod, ResponseMode } from "./client.ts";
import type { SigningAlgorithm } from "./signing.ts";

/** A client, as the operator writes it down. */
export interface ClientConfig {
  /** The `client_id`. */
  id: string;
  /** What people see. Default: the id. */
  name?: string;
  /** Makes the client confidential. */
  secret?: string;
  /** Where authorization responses may go; a request must name one of them exactly. */
  redirectUris?: string[];
  /** Default: authorization_code and refresh_token with redirect URIs, else client_credentials. */
  grantTypes?: string[];
  /** What it may ask for. Default: every scope. */
  scopes?: string[];
  /** What it gets when it names no scope. Default: its scopes that are not OpenID Connect's. */
  defaultScope?: string[];
  /** Ways to authenticate. Default: with a secret client_secret_basic and client_secret_post, with keys private_key_jwt, else none. */
  authentication?: ClientAuthenticationMethod[];
  /** Runs on the user's machine: any port of its loopback redirect URIs. Default: false. */
  native?: boolean;
  /** Whether a confidential client may leave PKCE out. Default: required. */
  pkce?: "required" | "optional";
  /** Whether the token request must repeat the redirect_uri. Default: required. */
  redirectUriAtToken?: "required" | "if-present";
  /** Default: query and form_post. */
  responseModes?: ResponseMode[];
  /** Whether consent is remembered. Default: yes, except for native clients. */
  rememberConsent?: boolean;
  /** Whose tokens introspection shows it. Default: own. */
  introspect?: "own" | "any";
  /** The resources it serves. */
  resources?: string[];
  /** Default: jwt. */
  accessTokenFormat?: "jwt" | "opaque";
  /**
   * Signs its ID tokens and logout tokens. Default: RS256; where the profile forbids that, the
   * server's `alg`.
   */
  idTokenAlg?: SigningAlgorithm;
  /** Signs userinfo. Default: none, plain JSON. */
  userinfoAlg?: SigningAlgorithm;
  /** Signs introspection responses that are asked for as JWT. Default: as for `idTokenAlg`. */
  introspectionAlg?: SigningAlgorithm;
  /** Signs authorization responses in the `jwt` response modes. Default: as for `idTokenAlg`. */
  authorizationResponseAlg?: SigningAlgorithm;
  /** Its public keys, for private_key_jwt and signed requests. */
  jwks?: { keys: JWK[] };
  /** Where its public keys are found, in place of `jwks`. */
  jwksUri?: string;
  /** The algorithm of its assertions. Default: any that fits its keys. */
  authenticationAlg?: string;
  /** What the `aud` of its assertions must be. Default: issuer. */
  assertionAudience?: "issuer" | "token-endpoint";
  /** The algorithm of its request objects. Default: any that fits its keys. */
  requestObjectAlg?: string;
  /** Whether its authorization requests must be signed (RFC 9101). Default: false. */
  requireSignedRequest?: boolean;
  /** Whether its authorization requests must be pushed (RFC 9126). Default: false, unless the server asks it of all. */
  requirePar?: boolean;
  /** Whether its tokens must be bound to a key (RFC 9449). Default: optional. */
  dpop?: "required" | "optional";
  /** Whether each sector of clients sees another `sub`. Default: public. */
  subjectType?: "public" | "pairwise";
  /** Lists the redirect URIs of all clients that share pairwise subjects. Default: the host of the redirect URIs decides. */
  sectorIdentifierUri?: string;
  /** Where people may be sent after they signed out. */
  postLogoutRedirectUris?: string[];
  /** Receives a logout token when a session ends (OpenID Connect Back-Channel Logout). */
  backchannelLogoutUri?: string;
  /** Is loaded in a frame when a session ends (OpenID Connect Front-Channel Logout). */
  frontchannelLogoutUri?: string;
  /** The oldest sign-in that will do where a request does not say. */
  defaultMaxAge?: Duration;
  /** The `acr` values that a request without `acr_values` asks for. */
  defaultAcrValues?: string[];
  /** The types of `authorization_details` it may ask for. Default: all that the server knows. */
  authorizationDetailsTypes?: string[];
  /** Which tokens it may exchange, and for what (RFC 8693). Default: none. */
  tokenExchange?: TokenExchangeConfig;
  /** The home page of the client. */
  clientUri?: string;
  /** The logo of the client. */
  logoUri?: string;
  /** How the client uses the data of its users. */
  policyUri?: string;
  /** The terms of service of the client. */
  tosUri?: string;
  /** E-mail addresses of the people responsible for the client. */
  contacts?: string[];
  /** Where a third party can start a sign-in. */
  initiateLoginUri?: string;
  /**
   * Whether the client is disabled; its tokens are not active.
   *
   * @default false
   */
  disabled?: boolean;
}

/** Which tokens a client may exchange, and for what (RFC 8693). */
export interface TokenExchangeConfig {
  /** The clients whose tokens it may present, as long as they are meant for it. Default: every client. */
  subjects?: string[];
  /** What the new tokens may be for: resources, or names by which APIs are known. */
  audiences: string[];
  /** Whether it may get tokens that say of nobody that they act for the subject. Default: false. */
  impersonation?: boolean;
  /** Whether it may present an actor, of whom the new token tells. Default: false. */
  delegation?: boolean;
}
