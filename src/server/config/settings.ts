import type { OutboundFetch } from "../http/outbound_fetch.ts";
import type { AcceptedResources } from "../model/access_token.ts";
import type { ClientAuthenticationMethod, PkceRequirement } from "../model/client_config.ts";
import type { SigningAlgorithm } from "../model/signing.ts";
import type { BrandSettings } from "../pages/brand.ts";
import type { PageLanguage } from "../pages/languages/languages.ts";
import type { CorePages } from "../pages/pages.ts";
import type { AuthorizationDetailTypes } from "../protocol/authorization_detail_types.ts";
import type { ClaimRules } from "../protocol/claim_rules.ts";
import type { DpopAlgorithm } from "../protocol/dpop_proof.ts";
import type { Store } from "../store/store.ts";
import type { LocalizedText } from "../util/text/user_text.ts";
import type { ConfiguredParties } from "./configured_parties.ts";
import type { ServerEventListener } from "./events.ts";
import type { InsecureConfig } from "./insecure_config.ts";
import type { CoreLifetimesConfig } from "./lifetimes_config.ts";
import type { Offer } from "./offer.ts";
import type { EndpointPaths } from "./paths_config.ts";
import type { Policies } from "./policies.ts";
import type { Profile } from "./profiles/profile.ts";
import type { RouteConfig } from "./route_config.ts";
import type { KeyRotation, SigningKeyConfig } from "./signing_key_config.ts";

/** How long codes, tokens and sessions last, in seconds. */
export type Lifetimes = Record<keyof CoreLifetimesConfig, number>;

/**
 * What a server has: its configuration, with every default, in the form in which it is used. Each
 * feature adds those members that its own `config.ts` declares, and reads them by its part.
 */
export interface Settings {
  // Where it is.

  /** The issuer identifier. */
  issuer: string;
  /** Where browsers reach the server. */
  frontChannelUrl: string;
  /** Where applications send their own requests. */
  backChannelUrl: string;
  /** Every URL of the server, each once, the issuer first. */
  addresses: readonly string[];
  /** The path of the issuer, below which all routes are: "" or "/tenant". */
  base: string;
  /** The path of each endpoint, below `base`. */
  paths: EndpointPaths;
  /** The operator's own routes, which come first. */
  routes: readonly RouteConfig[];
  /** The proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: "loopback" | string[];

  // What it is for.

  /** The preset. Its `authentication` has only methods that this server can check. */
  profile: Profile;
  /** Whether defaults are stricter than those of the profile. */
  hardened: boolean;
  /** What weakens the server. */
  insecure: Required<InsecureConfig>;
  /** What the server offers to the clients that its operator trusts. */
  offer: Offer;
  /** Decisions that the operator makes in place of the server. */
  policies: Policies;

  // Clients and users of the configuration.

  /** The clients by id. */
  clients: ConfiguredParties["clients"];
  /** The users by name. */
  users: ConfiguredParties["users"];
  /** The external issuers that speak for users, each with the clients that it lists. */
  assertingIssuers: ReadonlyMap<string, readonly string[]>;

  // What clients may ask for.

  /** Every scope, with its text. */
  scopes: ReadonlyMap<string, LocalizedText>;
  /** The scopes of a request that names none, if they do not depend on the client. */
  defaultScope?: string[];
  /** What becomes of unknown scopes in requests for `openid`. */
  unknownScopes: "ignore" | "refuse";
  /** Whether the scope `groups` is the server's own: the configuration names no scopes. */
  ownGroups: boolean;
  /** The claims that the configuration opens to scopes. */
  scopeClaims: ClaimRules["scopeClaims"];
  /** The claims that the configuration now opens to any scope or client. */
  openedClaims: () => readonly string[];
  /** Whether claims of scopes are in ID tokens, too; undefined if that depends on the client. */
  idTokenClaims?: "by-scope" | "minimal";
  /** What `preferred_username` is for users without that claim. */
  preferredUsername: "user-name" | "claim";
  /** What tokens may be for. */
  resources: AcceptedResources;
  /** What tokens are for whose request names no resource. */
  defaultResource: string;
  /** Whether the parameter `audience` names a resource, too. */
  audienceParameter: boolean;
  /** The types of `authorization_details`. */
  authorizationDetails: AuthorizationDetailTypes;
  /** The grants of the server. */
  grantTypes: string[];
  /** Whether confidential clients may leave PKCE out. */
  pkce: PkceRequirement;
  /** Whether every authorization request must be pushed. */
  requirePar: boolean;
  /** Whether errors are redirected only after a sign-in. */
  errorsAfterSignIn: boolean;
  /** The `acr` values of sign-ins, the weakest first. */
  acrValues: string[];

  // Tokens and keys.

  /** The `typ` of access tokens that are JWTs, for resources that name none. */
  accessTokenType: "at+jwt" | "JWT";
  /** Signs access tokens. */
  alg: SigningAlgorithm;
  /**
   * Signs everything but access tokens for clients that name no algorithm: ID tokens, logout
   * tokens, authorization and introspection responses.
   */
  idTokenAlg: SigningAlgorithm;
  /**
   * The algorithms that a client can now choose, the default first. RS256 is among them unless the
   * profile forbids it (OpenID Connect Discovery, section 3).
   */
  idTokenAlgs: () => SigningAlgorithm[];
  /** Whether a configured client has ID tokens signed with its secret: then others may register so. */
  hasHmacIdTokens: () => boolean;
  /** The algorithms of DPoP proofs. */
  dpopAlgs: DpopAlgorithm[];
  /** Whether DPoP proofs need a nonce of the server. */
  dpopNonces: boolean;
  /** The methods of clients with certificates, if the server reads certificates. */
  certificateMethods: readonly ClientAuthenticationMethod[];
  /** The operator's own keys. */
  signingKeys: SigningKeyConfig[];
  /** When keys change, in milliseconds. */
  keyRotation: KeyRotation;
  /** How long everything lasts, in seconds. */
  lifetimes: Lifetimes;
  /** Whether each refresh returns a new refresh token. */
  refreshTokens: "rotate" | "keep";
  /** How long a used refresh token works, in seconds; undefined if that depends on the client. */
  refreshReuseGrace: number | undefined;

  // Pages and messages.

  /** Every page of the core and of features, those of the operator among them. */
  pages: CorePages;
  /** The brand, with the files that the server serves for it. */
  brand: BrandSettings;
  /** The languages of the pages. The first is for browsers that ask for none of them. */
  languages: readonly PageLanguage[];
  /** A line at the top of every page. */
  notice?: string;
  /** Where the policy for clients is. */
  policyUri?: string;
  /** Where the terms of service are. */
  tosUri?: string;
  /** Where documentation for developers is. */
  serviceDocumentation?: string;
  /** Whether errors have hints for developers. */
  hints: boolean;

  // Limits for each network, per minute.

  /** Wrong guesses at one secret. */
  guessesPerMinute: number;
  /** Documents and keys of clients that are fetched. */
  documentsPerMinute: number;
  /** Bytes that unauthenticated requests store. */
  storedBytesPerMinute: number;

  // What the server runs on.

  /** Where its data is. */
  store: Store;
  /** Fetches what the configuration points to. */
  fetch: OutboundFetch;
  /** Fetches what an untrusted client points to. */
  fetchUntrusted: OutboundFetch;
  /** The current time, in milliseconds. */
  now: () => number;
  randomBytes: (count: number) => Uint8Array;
  onEvent: ServerEventListener;
}
