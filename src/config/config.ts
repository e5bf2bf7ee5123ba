import type { JWK } from "jose";
import type { DetailType } from "../protocol/authorization_details.ts";
import type { Claims } from "../protocol/claims.ts";
import type { ClientAuthenticationMethod } from "../protocol/client.ts";
import type { DpopAlgorithm } from "../protocol/dpop_proof.ts";
import type { ResponseMode } from "../protocol/reply.ts";
import type { SigningAlgorithm } from "../protocol/signing.ts";
import type { Fetch } from "../http/outside.ts";
import type { Pages } from "../pages/pages.ts";
import type { Store } from "../store/store.ts";
import type { Duration } from "./duration.ts";
import type { Event } from "./events.ts";
import type { Policies } from "./policies.ts";

/** Everything that can be configured. Whatever has a default may be left out. */
export interface Config {
  /** The issuer identifier; every URL is built from it, unless one of the two channels says otherwise. */
  issuer: string;
  /** Where browsers find the server, if not by the issuer: scheme, host, port, and the issuer's path. Default: the issuer. */
  frontChannel?: string;
  /** Where the applications' own requests find it, in the same way: tokens, keys, userinfo. Default: the issuer. */
  backChannel?: string;
  /** A preset: its defaults, and rules that nothing may contradict. Default: oauth-2.1. */
  profile?: "oauth-2.1" | "fapi-2.0" | "mcp";
  /** Where rows are kept. Default: in this process. */
  store?: Store;
  clients?: ClientConfig[];
  users?: UserConfig[];
  /** Every scope, with what it means to the person who is asked. Default: those of OpenID Connect. */
  scopes?: Record<string, string>;
  /** APIs that tokens may be asked for, by their URI; or "any". Default: only the issuer itself. */
  resources?: Array<string | ResourceConfig> | "any";
  /** The audience of tokens that name no resource. Default: the issuer. */
  defaultResource?: string;
  /** What clients may ask for in detail (RFC 9396), by its type. Default: nothing. */
  authorizationDetails?: Record<string, DetailType>;
  /** The grants that clients may use. Default: authorization_code, refresh_token, client_credentials. */
  grantTypes?: string[];
  /** Issuers whose word for people is taken (RFC 7523, section 2.1). Default: none. */
  trustedIssuers?: TrustedIssuerConfig[];
  /** Whether every authorization request must be pushed first (RFC 9126). Default: false. */
  requirePar?: boolean;
  /** Whether clients may register themselves (RFC 7591), and who lets them. Default: they may not. */
  registration?: Registration;
  /** Clients that one address may register in a minute. Default: 60. */
  registrationsPerMinute?: number;
  /** Whether a client's id may be the URL of a document that describes it; `fetchUntrusted` fetches it. Default: false. */
  clientMetadataDocuments?: boolean;
  /**
   * Whether errors of an authorization request are sent on only where somebody is signed in, and are shown on a page otherwise
   * (RFC 9700, section 4.11.2). Default: false.
   */
  errorsAfterSignIn?: boolean;
  /** Signs access tokens, and ID tokens where the client names no other. Default: RS256. */
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
  policies?: Partial<Policies>;
  /** Pages of your own in place of ours. */
  pages?: Partial<Pages>;
  /** A line at the top of every page. */
  notice?: string;
  /** Whether refusals say more than a stranger should know, for whoever is developing a client. Default: false. */
  hints?: boolean;
  /** Wrong guesses at one secret, from one address, that are let through in a minute. Default: 60. */
  guessesPerMinute?: number;
  /** Addresses of proxies whose X-Forwarded-For is believed. Default: none. */
  trustedProxies?: string[];
  /** Settings that weaken the server. */
  insecure?: InsecureConfig;
  /** Fetches what the operator's own configuration points to: keys of clients, logout URIs. Default: the global one. */
  fetch?: Fetch;
  /** Fetches what a stranger points to. It must not reach into the network that the server stands in. Default: nothing is fetched. */
  fetchUntrusted?: Fetch;
  /** The clock, in milliseconds. Default: Date.now. */
  now?: () => number;
  /** Random bytes. Default: crypto.getRandomValues. */
  randomBytes?: (count: number) => Uint8Array;
  /** Is told what happened. */
  onEvent?: (event: Event) => void;
}

/** Everybody may register a client, or whoever shows this token; it has at least 32 random characters. */
export type Registration = "open" | { initialAccessToken: string };

export interface ClientConfig {
  id: string;
  /** What people see. Default: the id. */
  name?: string;
  /** Makes the client confidential. */
  secret?: string;
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
  /** Default: the server's `alg`. */
  idTokenAlg?: SigningAlgorithm;
  /** Signs userinfo. Default: none, plain JSON. */
  userinfoAlg?: SigningAlgorithm;
  /** Signs introspection responses that are asked for as JWT. Default: the server's `alg`. */
  introspectionAlg?: SigningAlgorithm;
  /** Signs authorization responses in the `jwt` response modes. Default: the server's `alg`. */
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
  backchannelLogoutUri?: string;
  frontchannelLogoutUri?: string;
  /** The oldest sign-in that will do where a request does not say. */
  defaultMaxAge?: Duration;
  defaultAcrValues?: string[];
  /** The types of `authorization_details` it may ask for. Default: all that the server knows. */
  authorizationDetailsTypes?: string[];
  /** Which tokens it may exchange, and for what (RFC 8693). Default: none. */
  tokenExchange?: TokenExchangeConfig;
  clientUri?: string;
  logoUri?: string;
  policyUri?: string;
  tosUri?: string;
  contacts?: string[];
  /** Where a third party can start a sign-in. */
  initiateLoginUri?: string;
  disabled?: boolean;
}

export interface TrustedIssuerConfig {
  /** The `iss` of its assertions. */
  issuer: string;
  /** Its public keys. */
  jwks?: { keys: JWK[] };
  /** Where its public keys are found, in place of `jwks`. */
  jwksUri?: string;
  /** The clients that may bring its assertions. */
  clients: string[];
  /** What may be asked for with them. Default: whatever the client may. */
  scopes?: string[];
  /** The name of a user for each of its subjects. Default: the same name, so that it can speak for every user. */
  users?: Record<string, string>;
}

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

/** An API with wishes of its own. */
export interface ResourceConfig {
  uri: string;
  /** What its tokens can allow. Default: every scope. */
  scopes?: string[];
  /** What its tokens are. Default: as the client has it. */
  accessTokenFormat?: "jwt" | "opaque";
  /** How long its tokens live, at most as long as the server's. Default: as long. */
  accessTokenLifetime?: Duration;
}

export interface UserConfig {
  /** What is typed at sign-in. */
  name: string;
  /** The `sub` that clients see. Default: the name. */
  sub?: string;
  password?: string;
  /** In place of the password: its hash, as the passwords policy writes it. */
  passwordHash?: string;
  claims?: Claims;
  disabled?: boolean;
}

/** How long things last, in seconds. */
export interface Lifetimes {
  /** Default 5 minutes, at most 10. */
  code: number;
  /** How long a device waits for its person. Default 10 minutes. */
  deviceCode: number;
  /** Default 1 hour. */
  accessToken: number;
  /** Default 1 hour. */
  idToken: number;
  /** Default 30 days, from the first one on. */
  refreshToken: number;
  /** How long a refresh token may lie unused. Default: as long as it lives. */
  refreshIdle: number;
  /** Default 1 day. */
  session: number;
  /** How long a pushed authorization request can be begun. Default 5 minutes, less than 10. */
  pushedRequest: number;
  /** How long a person may take to sign in. Default 1 hour. */
  interaction: number;
  /** How long a client that registered itself may lie unused. Default 90 days. */
  unusedClient: number;
}

export interface InsecureConfig {
  /** Let an issuer use http though its host is not loopback. Default: false. */
  httpIssuer?: boolean;
  /** Let redirect URIs use http though their host is not loopback. Default: false. */
  httpRedirectUris?: boolean;
  /** Let what strangers point to be fetched from this machine and its network, by http where it is loopback. Default: false. */
  privateFetches?: boolean;
}
