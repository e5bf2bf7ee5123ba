import type { OutboundFetch } from "../http/outbound_fetch.ts";
import type { AcceptedResources } from "../model/access_rights.ts";
import type { Client } from "../model/client.ts";
import type { SigningAlgorithm } from "../model/signing.ts";
import type { User } from "../model/user.ts";
import type { Pages } from "../pages/pages.ts";
import type { AuthorizationDetailTypes } from "../protocol/authorization_details.ts";
import type { TrustedIssuer } from "../protocol/bearer_assertion.ts";
import type { ClientAllowances } from "../protocol/client_allowances.ts";
import type { Store } from "../store/store.ts";
import type { ServerEvent } from "./events.ts";
import type { Lifetimes } from "./lifetimes.ts";
import type { Policies } from "./policies.ts";
import type { Profile } from "./profiles/profile.ts";
import type { RegistrationSettings } from "./registration_config.ts";
import type { RouteConfig } from "./route_config.ts";

/** A configuration with every default filled in and every rule checked. */
export interface Settings {
  issuer: string;
  /** Where browsers find the server. */
  frontChannelUrl: string;
  /** Where programs find it. */
  backChannelUrl: string;
  /** All of these addresses, each once, the issuer first. */
  addresses: readonly string[];
  /** The path below which everything lives: "" or "/tenant". */
  base: string;
  profile: Profile;
  store: Store;
  clients: ReadonlyMap<string, () => Promise<Client>>;
  users: ReadonlyMap<string, () => Promise<User>>;
  scopes: ReadonlyMap<string, string>;
  resources: AcceptedResources;
  defaultResource: string;
  authorizationDetails: AuthorizationDetailTypes;
  policyUri?: string;
  tosUri?: string;
  serviceDocumentation?: string;
  grantTypes: readonly string[];
  /** By their issuer identifiers. */
  trustedIssuers: ReadonlyMap<string, TrustedIssuer>;
  requirePar: boolean;
  /** Whether redirect URIs may use http on other machines. */
  httpRedirectUris: boolean;
  /** Signs access tokens. */
  alg: SigningAlgorithm;
  /**
   * Signs everything else for clients that name no other: ID tokens, logout tokens, authorization
   * and introspection responses.
   */
  idTokenAlg: SigningAlgorithm;
  /** The default one first; RS256 is there as well, unless the profile forbids it (OpenID Connect Discovery, section 3). */
  idTokenAlgs: SigningAlgorithm[];
  dpopAlgs: readonly string[];
  dpopNonces: boolean;
  /** How long a key signs, if not for ever, and how long it is shown before, in milliseconds. */
  keyRotation: { every?: number; overlap: number };
  /** What can be said of the strength of a sign-in, the weakest first. */
  acrValues: readonly string[];
  lifetimes: Lifetimes;
  refreshTokens: "rotate" | "keep";
  refreshReuseGrace: number;
  secret?: string;
  policies: Policies;
  pages: Pages;
  routes: readonly RouteConfig[];
  notice?: string;
  hints: boolean;
  guessesPerMinute: number;
  registration: RegistrationSettings;
  /** What unconfigured clients may do. */
  allowances: ClientAllowances;
  registrationsPerMinute: number;
  documentsPerMinute: number;
  storedBytesPerMinute: number;
  clientMetadataDocuments: boolean;
  privateFetches: boolean;
  errorsAfterSignIn: boolean;
  /** Whether the page at `/authorized` is the redirect URI of a configured client. */
  hasCallbackPage: boolean;
  trustedProxies: readonly string[];
  fetch: OutboundFetch;
  fetchUntrusted: OutboundFetch;
  now: () => number;
  randomBytes: (count: number) => Uint8Array;
  onEvent: (event: ServerEvent) => void;
}
