import type { JWK } from "jose";
import type { Duration } from "../util/time/duration.ts";
import type { ClaimTargets } from "./claims.ts";
import type { IdTokenAlgorithm, SigningAlgorithm } from "./signing.ts";

/** How a client authenticates at the endpoints that require it (OAuth 2.1, section 2.4). */
export type ClientAuthenticationMethod =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "tls_client_auth"
  | "self_signed_tls_client_auth"
  | "none";

/**
 * How an authorization response is sent (OAuth 2.0 Multiple Response Types; Form Post Response
 * Mode).
 */
export type ResponseMode = "query" | "form_post" | "fragment";

/** The methods that the certificate of a connection proves (RFC 8705), where a feature reads it. */
export const certificateMethods: readonly ClientAuthenticationMethod[] = [
  "tls_client_auth",
  "self_signed_tls_client_auth",
];

/** Every way in which a client can authenticate. */
export const clientAuthenticationMethods: readonly ClientAuthenticationMethod[] = [
  "client_secret_basic",
  "client_secret_post",
  "client_secret_jwt",
  "private_key_jwt",
  ...certificateMethods,
  "none",
];

export function isCertificateMethod(method: ClientAuthenticationMethod): boolean {
  return certificateMethods.includes(method);
}

/** Every way in which an authorization response can be sent. */
export const responseModes: readonly ResponseMode[] = ["query", "form_post", "fragment"];

/** Which authorization requests of a client that authenticates must have a code challenge. */
export type PkceRequirement = NonNullable<CoreClientConfig["pkce"]>;

/** The settings of a client. Only `id` is required. */
export interface CoreClientConfig {
  /**
   * The client identifier (`client_id`).
   *
   * @format client-id
   */
  id: string;
  /**
   * The name that users see.
   *
   * @default the client's `id`
   */
  name?: string;
  /** The client secret, of at least 22 random characters. It makes the client confidential. */
  secret?: string;
  /** The exact URIs that users may be sent back to. */
  redirectUris?: string[];
  /**
   * The grants that the client may use.
   *
   * @default `authorization_code` and `refresh_token` with redirect URIs, otherwise
   * `client_credentials`
   */
  grantTypes?: string[];
  /**
   * The scopes that the client may ask for.
   *
   * @format scope
   * @default every scope of the server; for `client add`, those about the user
   */
  scopes?: string[];
  /**
   * The scopes of a request that names none.
   *
   * @format scope
   * @default the server's `defaultScope`, or those of `scopes` that OpenID Connect does not define
   */
  defaultScope?: string[];
  /**
   * What becomes of a scope that the server does not define, as in the server's setting.
   *
   * @default the server's `unknownScopes`
   */
  unknownScopes?: "ignore" | "refuse" | undefined;
  /**
   * How the client may authenticate.
   *
   * @default `client_secret_basic` and `client_secret_post` with a secret, `private_key_jwt` with
   * keys, otherwise `none`
   */
  authentication?: ClientAuthenticationMethod[];
  /**
   * Whether the client runs on the user's machine: its loopback redirect URIs match on any port.
   */
  native?: boolean;
  /**
   * Whether a confidential client may leave PKCE out, as in the server's `pkce`.
   *
   * @default the server's `pkce`; `required` for public and native clients, and for those with a
   * redirect URI of a private-use scheme
   */
  pkce?: "required" | "or-nonce" | "optional" | undefined;
  /**
   * How long a used refresh token still returns its successor, as in the server's setting.
   *
   * @maximum 1m
   * @default the server's `refreshReuseGrace`
   */
  refreshReuseGrace?: Duration | undefined;
  /**
   * Whether the token request must repeat the `redirect_uri`.
   *
   * @default "required"
   */
  redirectUriAtToken?: "required" | "if-present";
  /**
   * How authorization responses may be delivered.
   *
   * @default ["query", "form_post"]
   */
  responseModes?: ResponseMode[];
  /**
   * The groups whose members may use the client; with an empty list, nobody may.
   *
   * @default everyone may
   */
  groups?: string[] | undefined;
  /**
   * Whether users are asked before the client gets what its `scopes` name, as always for native
   * clients, devices, `prompt=consent` and authorization details.
   *
   * @default "ask"
   */
  consent?: "ask" | "skip";
  /**
   * Whether a user's consent is remembered.
   *
   * @default `true`, except for native clients
   */
  rememberConsent?: boolean;
  /** Whether users may allow a part of the requested scope, by boxes on the consent page. */
  partialConsent?: boolean;
  /**
   * Which tokens introspection shows it: its own and those for its `resources`, or any.
   *
   * @default "own"
   */
  introspect?: "own" | "any";
  /**
   * The resources that the client serves, whose tokens introspection shows it.
   *
   * @format audience
   */
  resources?: string[];
  /**
   * The format of its access tokens. `jwt-for-resource` means opaque, unless the request names a
   * resource.
   *
   * @default "jwt"
   */
  accessTokenFormat?: "jwt" | "opaque" | "jwt-for-resource";
  /**
   * The `typ` of its access tokens that are JWTs.
   *
   * @default the server's `accessTokenType`
   */
  accessTokenType?: "at+jwt" | "JWT";
  /**
   * The claims about users that it gets with every scope: one list for ID tokens, access tokens and
   * userinfo, or one for each.
   *
   * @format claim
   */
  claims?: string[] | ClaimTargets;
  /**
   * Whether the claims of the granted scopes are in its ID tokens, too.
   *
   * @default the server's `idTokenClaims`
   */
  idTokenClaims?: "by-scope" | "minimal" | undefined;
  /**
   * Signs its ID tokens and logout tokens; `HS256` with its secret of at least 32 bytes.
   *
   * @default `RS256`, or the server's `alg` where the profile forbids that
   */
  idTokenAlg?: IdTokenAlgorithm;
  /**
   * Signs its userinfo responses.
   *
   * @default none: plain JSON
   */
  userinfoAlg?: SigningAlgorithm;
  /**
   * Signs introspection (RFC 9701).
   *
   * @default as for `idTokenAlg`
   */
  introspectionAlg?: SigningAlgorithm;
  /**
   * Signs authorization responses (JARM).
   *
   * @default as for `idTokenAlg`
   */
  authorizationResponseAlg?: SigningAlgorithm;
  /** The client's public keys, for signatures and encryption. */
  jwks?: { keys: JWK[] };
  /**
   * Where the client publishes its keys, in place of `jwks`.
   *
   * @format url
   */
  jwksUri?: string;
  /**
   * The algorithm of the client's assertions.
   *
   * @default any that fits its keys
   */
  authenticationAlg?: string;
  /**
   * The required `aud` of its assertions (RFC 10070 requires the issuer). `token-endpoint` also
   * allows that endpoint, or the one of the request.
   *
   * @default "issuer"
   */
  assertionAudience?: "issuer" | "token-endpoint";
  /**
   * The algorithm of the client's request objects (RFC 9101).
   *
   * @default any that fits its keys
   */
  requestObjectAlg?: string;
  /** Whether authorization requests must be signed (RFC 9101). */
  requireSignedRequest?: boolean;
  /**
   * Whether authorization requests must be pushed (RFC 9126).
   *
   * @default the server's `requirePar`
   */
  requirePar?: boolean;
  /**
   * Whether tokens must be bound to a key of the client (RFC 9449).
   *
   * @default "optional"
   */
  dpop?: "required" | "optional";
  /**
   * Whether tokens must be bound to its certificate (RFC 8705, section 3), under `fapi-2.0` instead
   * of DPoP, unless `dpop` is `required`.
   */
  certificateBoundTokens?: boolean;
  /**
   * Whether clients of another sector see another `sub` (OpenID Connect Core, section 8).
   *
   * @default "public"
   */
  subjectType?: "public" | "pairwise";
  /**
   * Lists the redirect URIs of all clients that share pairwise subjects.
   *
   * @format url
   * @default none: the host of the redirect URIs decides
   */
  sectorIdentifierUri?: string;
  /** The oldest sign-in that is accepted when a request has no `max_age`. */
  defaultMaxAge?: Duration | undefined;
  /**
   * The `acr` values of a request that names none, in order of preference.
   *
   * @format acr
   */
  defaultAcrValues?: string[];
  /**
   * The types of `authorization_details` that the client may ask for (RFC 9396).
   *
   * @default every type of the server
   */
  authorizationDetailsTypes?: string[];
  /**
   * The client's home page.
   *
   * @format url
   */
  clientUri?: string;
  /**
   * The client's logo.
   *
   * @format url
   */
  logoUri?: string;
  /**
   * The client's privacy policy.
   *
   * @format url
   */
  policyUri?: string;
  /**
   * The client's terms of service.
   *
   * @format url
   */
  tosUri?: string;
  /** How to reach those responsible for the client. */
  contacts?: string[];
  /**
   * Where a third party can start a sign-in (OpenID Connect Core, section 4).
   *
   * @format url
   */
  initiateLoginUri?: string;
  /** Disables the client; its tokens stop working immediately. */
  disabled?: boolean;
}
