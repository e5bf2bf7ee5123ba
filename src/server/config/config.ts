import type { OutboundFetch } from "../http/outbound_fetch.ts";
import type { CoreClientConfig } from "../model/client_config.ts";
import type { SigningAlgorithm } from "../model/signing.ts";
import type { CorePages } from "../pages/pages.ts";
import type { AuthorizationDetailType } from "../protocol/authorization_detail_types.ts";
import type { DpopAlgorithm } from "../protocol/dpop_proof.ts";
import type { Store } from "../store/store.ts";
import type { Duration } from "../util/time/duration.ts";
import type { ResourceConfig, ScopeConfig } from "./access_config.ts";
import type { ServerEventListener } from "./events.ts";
import type { InsecureConfig } from "./insecure_config.ts";
import type { CoreLifetimesConfig } from "./lifetimes_config.ts";
import type { CorePathsConfig } from "./paths_config.ts";
import type { Policies } from "./policies.ts";
import type { RouteConfig } from "./route_config.ts";
import type { SigningKeyConfig } from "./signing_key_config.ts";
import type { UserConfig } from "./user_config.ts";

/** The settings of the core of a server. Only `issuer` is required. */
export interface CoreConfig {
  /** The issuer identifier. Every URL is built from it, unless one of the two channels differs. */
  issuer: string;
  /**
   * Where browsers reach the server, if not at the issuer. Only scheme, host and port may differ.
   *
   * @default the `issuer`
   */
  frontChannelUrl?: string;
  /**
   * Where applications send their own requests (tokens, keys, userinfo), if not to the issuer. Only
   * scheme, host and port may differ.
   *
   * @default the `issuer`
   */
  backChannelUrl?: string;
  /**
   * A preset: its defaults, and rules that no other setting may contradict.
   *
   * @default "oauth-2.1"
   */
  profile?: "oauth-2.1" | "fapi-2.0" | "mcp";
  /**
   * Replaces the defaults that suit most applications with stricter ones: PKCE is required, ID tokens
   * are minimal, a refresh token works once, unknown scopes are refused, there is no scope `groups`,
   * `preferred_username` is never the user name by itself, and stored clients keep the defaults that
   * they were stored with.
   *
   * @default false
   */
  hardened?: boolean;
  /**
   * Where the server keeps its data.
   *
   * @default the memory of this process
   */
  store?: Store;
  /**
   * The configured clients.
   *
   * @default []
   */
  clients?: CoreClientConfig[];
  /**
   * The configured users.
   *
   * @default []
   */
  users?: UserConfig[];
  /**
   * Every scope, with its text on the consent page and the claims that it opens.
   *
   * @default the scopes of OpenID Connect, and `groups`, which opens the claim of that name
   */
  scopes?: Record<string, string | ScopeConfig>;
  /**
   * The scopes of a request that names none, for clients without a `defaultScope`.
   * With `openid` among them, such a request gets an ID token.
   *
   * @format scope
   * @default for each client, those of its scopes that OpenID Connect does not define
   */
  defaultScope?: string[];
  /**
   * What becomes of a scope that the server does not define, in a request for `openid`: the response
   * names what was granted (OpenID Connect Core, section 3.1.2.1). One that the server has, but not
   * for this client, is refused. If the server is `hardened`, and under the profiles `fapi-2.0` and
   * `mcp`, the default is `refuse`.
   *
   * @default "ignore"
   */
  unknownScopes?: "ignore" | "refuse";
  /**
   * Whether the claims of the granted scopes are in the ID token as well as in the userinfo
   * response.
   *
   * @default `by-scope` for clients of the operator that authenticate; `minimal` for all others, if
   * the server is `hardened`, and under the profiles `fapi-2.0` and `mcp`
   */
  idTokenClaims?: "by-scope" | "minimal";
  /**
   * Whether the claim `preferred_username` is the user name for users who have no such claim. It is
   * not for clients with pairwise subjects, and needs the scope `email` if it is an e-mail address.
   * If the server is `hardened`, the default is `claim`.
   *
   * @default "user-name"
   */
  preferredUsername?: "user-name" | "claim";
  /**
   * The APIs that clients may request tokens for, by URI or name; or `"any"`.
   *
   * @format audience
   * @default the `defaultResource` and the issuer
   */
  resources?: Array<string | ResourceConfig> | "any";
  /**
   * The audience of tokens whose request names no resource.
   *
   * @format audience
   * @default the `issuer`
   */
  defaultResource?: string;
  /**
   * Accepts the parameter `audience`, which names a resource by its URI or name. The parameter
   * `resource` takes URIs only (RFC 8707).
   *
   * @default false
   */
  audienceParameter?: boolean;
  /**
   * The `typ` of access tokens that are JWTs (RFC 9068 requires `at+jwt`). Some APIs accept only
   * `JWT`. Tokens for an audience that the configuration does not name are always `at+jwt`.
   *
   * @default "at+jwt"
   */
  accessTokenType?: "at+jwt" | "JWT";
  /**
   * The types of `authorization_details` that clients may ask for (RFC 9396).
   *
   * @default {}
   */
  authorizationDetails?: Record<string, AuthorizationDetailType>;
  /**
   * How clients may use the data of users (`op_policy_uri`).
   *
   * @format url
   */
  policyUri?: string;
  /**
   * The terms of service (`op_tos_uri`).
   *
   * @format url
   */
  tosUri?: string;
  /**
   * Documentation for developers of clients (`service_documentation`).
   *
   * @format url
   */
  serviceDocumentation?: string;
  /**
   * The grants that clients may use.
   *
   * @default ["authorization_code", "refresh_token", "client_credentials"]
   */
  grantTypes?: string[];
  /**
   * Whether confidential clients of the operator may leave PKCE out: in requests for `openid` with a
   * `nonce` that they compare with the one in the ID token (RFC 9700, section 2.1.1), or in all
   * requests. If the server is `hardened`, and under the profiles `fapi-2.0` and `mcp`, the default
   * is `required`.
   *
   * @default "or-nonce"
   */
  pkce?: "required" | "or-nonce" | "optional";
  /**
   * Whether every authorization request must be pushed (RFC 9126).
   *
   * @default false
   */
  requirePar?: boolean;
  /**
   * How many documents and keys of clients the server fetches per minute for one network. A third
   * of them may be at one host. For all networks together, it fetches as many from one host, and 20
   * times as many in all. It counts rereading stored documents separately, without the last limit,
   * and request objects (`requestUris`): as many for one network, ten times as many for one client.
   *
   * @minimum 1
   * @default 30
   */
  documentsPerMinute?: number;
  /**
   * How many bytes of JSON the unauthenticated requests of one network may store per minute.
   *
   * @minimum 1
   * @default 1048576
   */
  storedBytesPerMinute?: number;
  /**
   * Whether errors of an authorization request are redirected only after a sign-in, and otherwise
   * shown on a page (RFC 9700, section 4.11.2).
   *
   * @default false
   */
  errorsAfterSignIn?: boolean;
  /**
   * Signs access tokens. For ID tokens, see the client's `idTokenAlg`.
   *
   * @default "RS256"
   */
  alg?: SigningAlgorithm;
  /**
   * The algorithms of DPoP proofs.
   *
   * @default all of these that the profile allows
   */
  dpopAlgs?: DpopAlgorithm[];
  /**
   * Whether DPoP proofs must contain a nonce from the server (RFC 9449, section 8).
   *
   * @default false
   */
  dpopNonces?: boolean;
  /**
   * Your own signing keys, in place of those that the server makes and replaces. The first one
   * of an algorithm signs; all of them are published. A server makes keys for the other algorithms
   * that it offers; one for tests does so only for those that another setting names, and publishes
   * public keys that never sign.
   *
   * @default []
   */
  signingKeys?: SigningKeyConfig[];
  /**
   * How long a key signs before its successor does.
   *
   * @minimum 1h
   * @default "90d"
   */
  keyRotation?: Duration | "never";
  /**
   * How long a key is published before it signs. Clients may cache the key set for 5 minutes or
   * longer.
   *
   * @minimum 10m
   * @default "1d"
   */
  keyOverlap?: Duration;
  /**
   * More algorithms that clients may choose when they register. `alg`, and the algorithms of
   * configured clients, are always among them.
   *
   * @default []
   */
  idTokenAlgs?: SigningAlgorithm[];
  /**
   * The `acr` values that the server can give a sign-in, the weakest first.
   *
   * @format acr
   * @default []
   */
  acrValues?: string[];
  /** How long codes, tokens and sessions last. */
  lifetimes?: CoreLifetimesConfig;
  /**
   * Whether each refresh returns a new refresh token. A public client whose tokens are bound to no
   * key always gets a new one (OAuth 2.1, section 4.3.1).
   *
   * @default "rotate"
   */
  refreshTokens?: "rotate" | "keep";
  /**
   * How long a used refresh token still returns its successor, unless it is bound to a key.
   *
   * @maximum 1m
   * @default 10s for clients of the operator that authenticate, whose tokens a thief could not use;
   * 0 for all others, and if the server is `hardened`
   */
  refreshReuseGrace?: Duration;
  /** Decisions that you make in place of the server. */
  policies?: Partial<Policies>;
  /** Your own pages, in place of the default ones. */
  pages?: Partial<CorePages>;
  /**
   * Your own routes. They take precedence over those of the server.
   *
   * @default []
   */
  routes?: readonly RouteConfig[];
  /**
   * Where the endpoints are, for clients that cannot read the metadata.
   *
   * @default the paths of this server
   */
  paths?: CorePathsConfig;
  /** A line at the top of every page. */
  notice?: string;
  /**
   * Whether errors include hints for the developer of a client. They reveal more than an attacker
   * should know, and events then repeat what clients sent.
   *
   * @default false
   */
  hints?: boolean;
  /**
   * How many wrong guesses at one password, user code or short client secret one network may make
   * per minute. At all names together, it may make 10 times as many. All networks together may make
   * 20 times as many at one name.
   *
   * @minimum 1
   * @default 60
   */
  guessesPerMinute?: number;
  /**
   * The proxies whose `X-Forwarded-For` is trusted: IP addresses, networks such as `10.0.0.0/8`, or
   * `"loopback"` for those on this machine.
   *
   * @format network
   * @default []
   */
  trustedProxies?: "loopback" | string[];
  /** Settings that weaken the server. */
  insecure?: InsecureConfig;
  /**
   * Fetches what the configuration points to: keys of clients, logout URIs.
   *
   * @default the global `fetch`
   */
  fetch?: OutboundFetch;
  /**
   * Fetches what an untrusted client points to. It must not reach into the server's own network.
   *
   * @default none: nothing is fetched
   */
  fetchUntrusted?: OutboundFetch;
  /**
   * Returns the current time, in milliseconds.
   *
   * @default `Date.now`
   */
  now?: () => number;
  /**
   * Returns random bytes.
   *
   * @default `crypto.getRandomValues`
   */
  randomBytes?: (count: number) => Uint8Array;
  /**
   * Called with each event of the server, and with the request during which it happened. This is
   * where logs, metrics and OpenTelemetry listen.
   */
  onEvent?: ServerEventListener;
}
