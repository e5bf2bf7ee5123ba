import type { OutboundFetch } from "../http/outbound_fetch.ts";
import type { AcceptedResources } from "../model/access_token.ts";
import type { Client } from "../model/client.ts";
import type {
  ClientAuthenticationMethod,
  CoreClientConfig,
  PkceRequirement,
} from "../model/client_config.ts";
import type { SigningAlgorithm } from "../model/signing.ts";
import type { User } from "../model/user.ts";
import type { BrandSettings } from "../pages/brand.ts";
import type { PageLanguage } from "../pages/languages/languages.ts";
import type { CorePages } from "../pages/pages.ts";
import type { AuthorizationDetailTypes } from "../protocol/authorization_detail_types.ts";
import type { ClaimRules } from "../protocol/claim_rules.ts";
import type { TrustLevel } from "../protocol/client_trust.ts";
import type { DpopAlgorithm } from "../protocol/dpop_proof.ts";
import type { Store } from "../store/store.ts";
import type { LocalizedText } from "../util/text/user_text.ts";
import type { ConfiguredList } from "./configured_list.ts";
import type { ServerEventListener } from "./events.ts";
import type { InsecureConfig } from "./insecure_config.ts";
import type { CoreLifetimesConfig } from "./lifetimes_config.ts";
import type { EndpointPaths } from "./paths_config.ts";
import type { Policies } from "./policies.ts";
import type { ReportProblem } from "./problems.ts";
import type { Profile } from "./profiles/profile.ts";
import type { RouteConfig } from "./route_config.ts";
import type { ObjectSchema } from "./schema.ts";
import type { KeyRotation, SigningKeyConfig } from "./signing_key_config.ts";
import type { UserConfig } from "./user_config.ts";

/** How long codes, tokens and sessions last, in seconds. */
export type Lifetimes = Record<keyof CoreLifetimesConfig, number>;

/**
 * What a server has: its configuration, with every default, in the form in which it is used. Each
 * feature adds those members that its own `config.ts` declares, and reads them by its part.
 */
export interface Settings {
  // Where it is.

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
  insecure: Required<InsecureConfig>;
  /** Decisions that the operator makes in place of the server. */
  policies: Policies;

  // Clients and users of the configuration, as what wraps the server can change them. What follows
  // from them is a function each, no accessor: with one, reading any setting would be slow.

  /** The clients by id. */
  clients: ConfiguredList<CoreClientConfig, Client>;
  /** The users by name. */
  users: ConfiguredList<UserConfig, User>;
  /** What features add to the settings of a client. */
  clientParts: readonly AddedClientSettings[];
  /**
   * Whether configured clients may have http redirect URIs on any host, and untrusted ones below
   * `localhost`, which has no owner.
   */
  httpClients: boolean;
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
  /** The scopes that open claims about the user, and are for no API. */
  claimScopes: ReadonlySet<string>;
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
  /** The audiences of access tokens. No client can have one of them as its id. */
  audiences: readonly string[];
  /** Whether the parameter `audience` names a resource, too. */
  audienceParameter: boolean;
  authorizationDetails: AuthorizationDetailTypes;
  grantTypes: string[];
  /** Those without a user that even untrusted clients may have, if a setting lists them. */
  openGrants: readonly string[];
  /** Whether confidential clients may leave PKCE out. */
  pkce: PkceRequirement;
  requirePar: boolean;
  /** Whether errors are redirected only after a sign-in. */
  errorsAfterSignIn: boolean;
  /** The `acr` values of sign-ins, the weakest first. */
  acrValues: string[];
  /** Who must sign in by passkey: all users, or those of these groups; undefined without passkeys. */
  passkeyDemand: "all" | readonly string[] | undefined;

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
  policyUri?: string;
  tosUri?: string;
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

/** Members that a feature adds to a group of settings, as a server has them. */
export interface FeatureSettings<Resolved extends object = object> {
  readonly schema: ObjectSchema;
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Returns the members of this part, from a group whose defaults are filled in. */
  of(group: object): Resolved;
}

/**
 * Members that a feature adds to each client. The server keeps them as members of the client. A
 * default demands nothing (none, `false` or an empty list): a server without the feature refuses
 * stored clients with any other value.
 */
export interface AddedClientSettings extends FeatureSettings {
  /** Those that are URLs which the server or a browser fetches. */
  readonly fetched?: readonly string[];
  /** Reports contradictions with other settings. */
  check?(config: CoreClientConfig, offer: Offer, report: ReportProblem): void;
  /** Returns them in the form in which a client keeps them, if that is another one. */
  keep?(config: CoreClientConfig): object;
}

/** What a client may ask for. */
export interface OfferedAccess {
  scopes: readonly string[];
  authorizationDetailsTypes: readonly string[];
  /** The resources that tokens may be for, or every one of the server. */
  resources: readonly string[] | "any";
}

/**
 * What a server offers to the clients of one level of trust. A client is checked against it, made
 * with it and confined to it, and its metadata is read with it.
 */
export interface Offer extends OfferedAccess {
  /** What is the same for every client. */
  settings: Settings;
  level: TrustLevel;
  grantTypes: readonly string[];
  /** Whether confidential clients may leave PKCE out whose own settings say nothing else. */
  pkce: PkceRequirement;
  /** The required `aud` of the assertions of a client that registered. */
  assertionAudience: Client["assertionAudience"];
  /** Whether redirect URIs may use http although their host is not loopback. */
  httpRedirectUris: boolean;
}

/** Returns what a server offers to the clients that its operator trusts: everything it has. */
export function trustedOffer(settings: Settings): Offer {
  return {
    settings,
    level: "trusted",
    scopes: [...settings.scopes.keys()],
    authorizationDetailsTypes: Object.keys(settings.authorizationDetails),
    resources: "any",
    grantTypes: settings.grantTypes,
    pkce: settings.pkce,
    assertionAudience: "issuer",
    httpRedirectUris: settings.insecure.httpRedirectUris,
  };
}

export function offerToConfigured(settings: Settings): Offer {
  return { ...trustedOffer(settings), httpRedirectUris: settings.httpClients };
}
