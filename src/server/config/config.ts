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
  /** The issuer identifier, from which every URL is built, unless a channel differs. */
  issuer: string;
  /**
   * Where browsers reach the server, if not at the issuer. Only scheme, host and port may differ.
   *
   * @default the `issuer`
   */
  frontChannelUrl?: string;
  /**
   * Where applications send their own requests (tokens, keys, userinfo), if not to the issuer, in
   * the same way.
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
   * Makes defaults stricter: of `pkce`, `idTokenClaims`, `unknownScopes`, `preferredUsername` and
   * `refreshReuseGrace`; there is no scope `groups`, and stored clients keep the defaults that they
   * were stored with.
   */
  hardened?: boolean;
  /**
   * Where the server keeps its data.
   *
   * @default the memory of this process
   */
  store?: Store;
  /** The configured clients. */
  clients?: CoreClientConfig[];
  /** The configured users. */
  users?: UserConfig[];
  /**
   * Every scope, with its text on the consent page and the claims that it opens.
   *
   * @default those of OpenID Connect, and `groups` for that claim
   */
  scopes?: Record<string, string | ScopeConfig>;
  /**
   * The scopes of a request that names none. With `openid` among them, it gets an ID token.
   *
   * @format scope
   * @default those of the client's scopes that OpenID Connect does not define
   */
  defaultScope?: string[];
  /**
   * What becomes of a scope that the server does not define, in a request for `openid`. `refuse` if
   * `hardened`, under `fapi-2.0` and `mcp`.
   *
   * @default "ignore"
   */
  unknownScopes?: "ignore" | "refuse";
  /**
   * Whether the claims of the granted scopes are in the ID token, too, and not in userinfo alone.
   *
   * @default `by-scope` for clients of the operator that authenticate; else, if `hardened`, and
   * under `fapi-2.0` and `mcp`, `minimal`
   */
  idTokenClaims?: "by-scope" | "minimal";
  /**
   * Whether `preferred_username` is the user name of users without that claim, except for clients
   * with pairwise subjects, and for an e-mail address without the scope `email`. `claim` if
   * `hardened`.
   *
   * @default "user-name"
   */
  preferredUsername?: "user-name" | "claim";
  /**
   * The APIs that clients may request tokens for, by URI or name.
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
   * Accepts the parameter `audience`, the URI or name of a resource; `resource` takes URIs only
   * (RFC 8707).
   */
  audienceParameter?: boolean;
  /**
   * The `typ` of access tokens that are JWTs: RFC 9068 requires `at+jwt`, some APIs accept only
   * `JWT`. For an audience that the configuration does not name, it is `at+jwt`.
   *
   * @default "at+jwt"
   */
  accessTokenType?: "at+jwt" | "JWT";
  /** The types of `authorization_details` that clients may ask for (RFC 9396). */
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
   * Whether confidential clients of the operator may leave PKCE out: in requests for `openid` with
   * a `nonce` that they check (RFC 9700, section 2.1.1), or in all. `required` if `hardened`, under
   * `fapi-2.0` and `mcp`.
   *
   * @default "or-nonce"
   */
  pkce?: "required" | "or-nonce" | "optional";
  /** Whether every authorization request must be pushed (RFC 9126). */
  requirePar?: boolean;
  /**
   * How many documents and keys of clients the server fetches per minute for one network, a third
   * of them from one host. The other limits of fetches are in proportion to it.
   *
   * @minimum 1
   * @default 30
   */
  documentsPerMinute?: number;
  /**
   * How many bytes of JSON unauthenticated requests of one network may store per minute.
   *
   * @minimum 1
   * @default 1048576
   */
  storedBytesPerMinute?: number;
  /**
   * Redirects errors of authorization requests only after a sign-in, and shows them on a page
   * before (RFC 9700, section 4.11.2).
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
  /** Whether DPoP proofs must contain a nonce from the server (RFC 9449, section 8). */
  dpopNonces?: boolean;
  /**
   * Your own signing keys. The first one of an algorithm signs; all are published. The server makes
   * keys for its other algorithms; one for tests only for those that another setting names.
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
   * How long a key is published before it signs. Clients cache key sets for 5 minutes or longer.
   *
   * @minimum 10m
   * @default "1d"
   */
  keyOverlap?: Duration;
  /**
   * More algorithms that clients may choose when they register, besides `alg` and those of
   * configured clients.
   */
  idTokenAlgs?: SigningAlgorithm[];
  /**
   * The `acr` values that the server can give a sign-in, the weakest first. A password gets the
   * first that is not `phr`, which is for sign-ins that resist phishing.
   *
   * @format acr
   */
  acrValues?: string[];
  /** How long codes, tokens and sessions last. */
  lifetimes?: CoreLifetimesConfig;
  /**
   * Whether each refresh returns a new refresh token. A public client without a bound key always
   * gets one (OAuth 2.1, section 4.3.1).
   *
   * @default "rotate"
   */
  refreshTokens?: "rotate" | "keep";
  /**
   * How long a used refresh token still returns its successor, unless it is bound to a key.
   *
   * @maximum 1m
   * @default 10s for clients of the operator that authenticate; else, and if `hardened`, 0
   */
  refreshReuseGrace?: Duration;
  /** Decisions that you make in place of the server. */
  policies?: Partial<Policies>;
  /** Your own pages, in place of the default ones. */
  pages?: Partial<CorePages>;
  /** Your own routes, which come before those of the server. */
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
   * Adds hints for developers to errors. They reveal more than an attacker should know, and events
   * then repeat what clients sent.
   */
  hints?: boolean;
  /**
   * How many wrong guesses at one password, user code or short client secret one network may make
   * per minute; at all names, 10 times as many. All networks may make 20 times as many at one name.
   *
   * @minimum 1
   * @default 60
   */
  guessesPerMinute?: number;
  /**
   * The proxies whose `X-Forwarded-For` is trusted: addresses, networks such as `10.0.0.0/8`, or
   * those on this machine.
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
   * Fetches what an untrusted client points to, but nothing in the server's own network.
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
  /** Called with each event of the server, and with the request during which it happened. */
  onEvent?: ServerEventListener;
}
