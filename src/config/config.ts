import type { OutboundFetch } from "../http/outbound_fetch.ts";
import type { ClientConfig } from "../model/client_config.ts";
import type { SigningAlgorithm } from "../model/signing.ts";
import type { Pages } from "../pages/pages.ts";
import type { AuthorizationDetailType } from "../protocol/authorization_details.ts";
import type { TrustedIssuer } from "../protocol/bearer_assertion.ts";
import type { DpopAlgorithm } from "../protocol/dpop_proof.ts";
import type { Store } from "../store/store.ts";
import type { Duration } from "../util/duration.ts";
import type { ServerEvent } from "./events.ts";
import type { Lifetimes } from "./lifetimes.ts";
import type { Policies } from "./policies.ts";
import type { RegistrationPolicy } from "./registration_config.ts";
import type { ResourceConfig } from "./resource_config.ts";
import type { RouteConfig } from "./route_config.ts";
import type { UserConfig } from "./user_config.ts";

/** Everything that can be configured. Whatever has a default may be left out. */
export interface Config {
  /** The issuer identifier; every URL is built from it, unless one of the two channels says otherwise. */
  issuer: string;
  /** Where browsers find the server, if not by the issuer: scheme, host, port, and the issuer's path. Default: the issuer. */
  frontChannelUrl?: string;
  /** Where the applications' own requests find it, in the same way: tokens, keys, userinfo. Default: the issuer. */
  backChannelUrl?: string;
  /** A preset: its defaults, and rules that nothing may contradict. Default: oauth-2.1. */
  profile?: "oauth-2.1" | "fapi-2.0" | "mcp";
  /** Where rows are kept. Default: in this process. */
  store?: Store;
  /** The clients. `hallpass client add` stores more of them. */
  clients?: ClientConfig[];
  /** The users. `hallpass user add` stores more of them. */
  users?: UserConfig[];
  /** Every scope, with what it means to the person who is asked. Default: those of OpenID Connect. */
  scopes?: Record<string, string>;
  /** APIs that tokens may be asked for, by their URI; or "any". Default: only the issuer itself. */
  resources?: Array<string | ResourceConfig> | "any";
  /** The audience of tokens that name no resource. Default: the issuer. */
  defaultResource?: string;
  /** What clients may ask for in detail (RFC 9396), by its type. Default: nothing. */
  authorizationDetails?: Record<string, AuthorizationDetailType>;
  /** What clients may do with people's data (`op_policy_uri`). Default: none. */
  policyUri?: string;
  /** The terms of service (`op_tos_uri`). Default: none. */
  tosUri?: string;
  /** Documentation for developers of clients (`service_documentation`). Default: none. */
  serviceDocumentation?: string;
  /** The grants that clients may use. Default: authorization_code, refresh_token, client_credentials. */
  grantTypes?: string[];
  /** Issuers whose word for people is taken (RFC 7523, section 2.1). Default: none. */
  trustedIssuers?: TrustedIssuer[];
  /** Whether every authorization request must be pushed first (RFC 9126). Default: false. */
  requirePar?: boolean;
  /** Who may register clients (RFC 7591), and what unconfigured clients may do. Default: off. */
  registration?: RegistrationPolicy;
  /** Clients that one network may register in a minute. Default: 60. */
  registrationsPerMinute?: number;
  /**
   * Documents and keys of clients that one network may have fetched in a minute: a third of them at one host. As many are fetched from
   * one host for all networks, and 20 times as many from all hosts. Default: 30.
   */
  documentsPerMinute?: number;
  /** How much one network may make the server store in a minute by unauthenticated requests, in bytes of JSON. Default: 1 MB. */
  storedBytesPerMinute?: number;
  /** Whether a client's id may be the URL of a document that describes it; `fetchUntrusted` fetches it. Default: false. */
  clientMetadataDocuments?: boolean;
  /**
   * Whether errors of an authorization request are sent on only where somebody is signed in, and are shown on a page otherwise
   * (RFC 9700, section 4.11.2). Default: false.
   */
  errorsAfterSignIn?: boolean;
  /** Signs access tokens; for ID tokens see the client's `idTokenAlg`. Default: RS256. */
  alg?: SigningAlgorithm;
  /** The algorithms of DPoP proofs. Default: ES256, PS256, EdDSA, Ed25519, RS256. */
  dpopAlgs?: DpopAlgorithm[];
  /** Whether DPoP proofs must carry a nonce of the server's (RFC 9449, section 8). Default: false. */
  dpopNonces?: boolean;
  /** How long a key signs before its successor does. Default: 90 days. */
  keyRotation?: Duration | "never";
  /** How long a key is shown before it signs. Clients keep the key set for 5 minutes and longer. Default: 1 day. */
  keyOverlap?: Duration;
  /** What clients that register may choose to have their tokens signed with, beside `alg` and what configured clients name. Default: RS256. */
  idTokenAlgs?: SigningAlgorithm[];
  /** What the server can say of the strength of a sign-in, the weakest first (`acr`). Default: nothing. */
  acrValues?: string[];
  /** How long codes, tokens, sessions and the like are valid. */
  lifetimes?: Partial<Record<keyof Lifetimes, Duration>>;
  /**
   * Whether each refresh gives a new refresh token, or the old one goes on. A public client that binds its tokens to no key
   * always gets a new one (OAuth 2.1, section 4.3.1). Default: rotate.
   */
  refreshTokens?: "rotate" | "keep";
  /** For so long a spent refresh token gives the same successor once more. Default: 0, never. */
  refreshReuseGrace?: Duration;
  /** Seals what the store must be able to give back: signing keys. At least 32 random characters. */
  secret?: string;
  /** Functions that decide in place of the server: how users sign in, how passwords are stored. */
  policies?: Partial<Policies>;
  /** Pages of your own in place of ours. */
  pages?: Partial<Pages>;
  /** Routes of your own, which come before those of the server. Default: none. */
  routes?: readonly RouteConfig[];
  /** A line at the top of every page. */
  notice?: string;
  /** Whether refusals say more than a stranger should know, for whoever is developing a client. Default: false. */
  hints?: boolean;
  /**
   * Wrong guesses of one network at one password, user code or short client secret that are let through in a minute; 10 times as many
   * at all names, and 20 times as many at one name from anywhere. Default: 60.
   */
  guessesPerMinute?: number;
  /** IP addresses of proxies whose X-Forwarded-For is believed. Default: none. */
  trustedProxies?: string[];
  /** Settings that weaken the server. */
  insecure?: InsecureConfig;
  /** Fetches what the operator's own configuration points to: keys of clients, logout URIs. Default: the global one. */
  fetch?: OutboundFetch;
  /** Fetches what a stranger points to. It must not reach into the network that the server stands in. Default: nothing is fetched. */
  fetchUntrusted?: OutboundFetch;
  /** The clock, in milliseconds. Default: Date.now. */
  now?: () => number;
  /** Random bytes. Default: crypto.getRandomValues. */
  randomBytes?: (count: number) => Uint8Array;
  /** Is told what happened. */
  onEvent?: (event: ServerEvent) => void;
}

/** Settings that weaken the server. `hallpass serve` refuses them. */
export interface InsecureConfig {
  /** Let an issuer use http though its host is not loopback. Default: false. */
  httpIssuer?: boolean;
  /** Let redirect URIs use http though their host is not loopback. Default: false. */
  httpRedirectUris?: boolean;
  /** Let what strangers point to be fetched from this machine and its network, by http where it is loopback. Default: false. */
  privateFetches?: boolean;
}
