import type { AcceptedResources } from "../model/access_token.ts";
import type { Client } from "../model/client.ts";
import type { CoreClientConfig } from "../model/client_config.ts";
import type { SigningAlgorithm } from "../model/signing.ts";
import type { User } from "../model/user.ts";
import type { CorePages } from "../pages/pages.ts";
import type { ClaimRules } from "../protocol/claim_rules.ts";
import type { LocalizedText } from "../util/text/user_text.ts";
import type { CoreConfig } from "./config.ts";
import type { FilledConfig } from "./config_data.ts";
import type { ConfiguredParties } from "./configured_parties.ts";
import type { FrameSettings } from "./feature_config.ts";
import type { CoreLifetimesConfig } from "./lifetimes_config.ts";
import type { Offer } from "./offer.ts";
import type { EndpointPaths } from "./paths_config.ts";
import type { Policies } from "./policies.ts";
import type { Profile } from "./profiles/profile.ts";
import type { KeyRotation } from "./signing_key_config.ts";

/** How long codes, tokens and sessions last, in seconds. */
export type Lifetimes = Record<keyof CoreLifetimesConfig, number>;

/** Settings with a default that depends on others, or on the runtime. */
type DerivedServerSetting =
  | "frontChannelUrl"
  | "backChannelUrl"
  | "defaultResource"
  | "dpopAlgs"
  | "fetch"
  | "fetchUntrusted"
  | "now"
  | "onEvent"
  | "randomBytes"
  | "store";

/** What a server has besides its configuration, or in another form. */
interface ResolvedSettings {
  /** Every URL of the server, each once, the issuer first. */
  addresses: readonly string[];
  /** What all pages have in common. */
  frame: FrameSettings;
  /** The path of the issuer, below which all routes are: "" or "/tenant". */
  base: string;
  profile: Profile;
  paths: EndpointPaths;
  /**
   * The configured clients and users, as what wraps the server can change them. What follows from
   * them is a function each, no accessor: with one, reading any setting would be slow.
   */
  parties: ConfiguredParties;
  clients: ReadonlyMap<string, () => Client | Promise<Client>>;
  /** The same clients, as the configuration has them. */
  configuredClients: () => readonly CoreClientConfig[];
  users: ReadonlyMap<string, () => User | Promise<User>>;
  scopes: ReadonlyMap<string, LocalizedText>;
  /** Whether the scope `groups` is the server's own: the configuration names no scopes. */
  ownGroups: boolean;
  /** The claims that the configuration opens to scopes. */
  scopeClaims: ClaimRules["scopeClaims"];
  /** The claims that the configuration opens to any scope or client. */
  openedClaims: () => readonly string[];
  resources: AcceptedResources;
  /** The external issuers that speak for users, each with the clients that it lists. */
  assertingIssuers: ReadonlyMap<string, readonly string[]>;
  /** Whether redirect URIs may use http although their host is not loopback. */
  httpRedirectUris: boolean;
  /** Whether private addresses are fetched for untrusted clients. */
  privateFetches: boolean;
  /**
   * Signs everything but access tokens for clients that name no algorithm: ID tokens, logout
   * tokens, authorization and introspection responses.
   */
  idTokenAlg: SigningAlgorithm;
  /**
   * The algorithms that a client can choose, the default first. RS256 is among them unless the
   * profile forbids it (OpenID Connect Discovery, section 3).
   */
  idTokenAlgs: () => SigningAlgorithm[];
  /**
   * Whether the server signs ID tokens with client secrets: if a configured client wants that,
   * others may register for it.
   */
  hasHmacIdTokens: () => boolean;
  keyRotation: KeyRotation;
  lifetimes: Lifetimes;
  /** In seconds; undefined if it was not given. */
  refreshReuseGrace: number | undefined;
  policies: Policies;
  pages: CorePages;
  /** What the server offers to the clients that its operator trusts. */
  offer: Offer;
}

/** A configuration that was checked, with every default filled in. */
export interface Settings extends
  ResolvedSettings,
  Omit<
    FilledConfig,
    keyof ResolvedSettings | DerivedServerSetting | "insecure" | "keyOverlap"
  >,
  Required<Pick<CoreConfig, DerivedServerSetting>> {}
