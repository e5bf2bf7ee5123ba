import type { Claims } from "../protocol/claims.ts";
import type { ResponseMode } from "../protocol/reply.ts";
import type { SigningAlgorithm } from "../protocol/signing.ts";
import type { Pages } from "../pages/pages.ts";
import type { Store } from "../store/store.ts";
import type { Duration } from "./duration.ts";
import type { Event } from "./events.ts";
import type { Policies } from "./policies.ts";

/** Everything that can be configured. What has a default may be left away. */
export interface Config {
  /** The issuer identifier; every URL is built from it. */
  issuer: string;
  /** Where rows are kept. Default: in this process. */
  store?: Store;
  clients?: ClientConfig[];
  users?: UserConfig[];
  /** Every scope, with what it means to the person who is asked. Default: those of OpenID Connect. */
  scopes?: Record<string, string>;
  /** APIs that tokens may be asked for, by their URI; or "any". Default: only the issuer itself. */
  resources?: string[] | "any";
  /** The audience of tokens that name no resource. Default: the issuer. */
  defaultResource?: string;
  /** Signs access tokens, and ID tokens where the client names no other. Default: RS256. */
  alg?: SigningAlgorithm;
  lifetimes?: Partial<Record<keyof Lifetimes, Duration>>;
  /** For so long a spent refresh token gives the same successor once more. Default: 0, never. */
  refreshReuseGrace?: Duration;
  /** Protects what the store holds that must be readable: signing keys. */
  secret?: string;
  policies?: Partial<Policies>;
  /** Pages of your own in place of ours. */
  pages?: Partial<Pages>;
  /** A line at the top of every page. */
  notice?: string;
  /** Wrong guesses at one secret that are let through in a minute. Default: 60. */
  guessesPerMinute?: number;
  /** Leniencies that weaken the server. */
  insecure?: {
    /** Let an issuer use http though its host is not loopback. Default: false. */
    httpIssuer?: boolean;
  };
  /** The clock, in milliseconds. Default: Date.now. */
  now?: () => number;
  /** Is told what happened. */
  onEvent?: (event: Event) => void;
}

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
  /** Ways to authenticate. Default: with a secret client_secret_basic and client_secret_post, else none. */
  authentication?: Array<"none" | "client_secret_basic" | "client_secret_post">;
  /** Runs on the user's machine: any port of its loopback redirect URIs. Default: false. */
  native?: boolean;
  /** Whether a confidential client may leave PKCE away. Default: required. */
  pkce?: "required" | "optional";
  /** Whether the token request must repeat the redirect_uri. Default: required. */
  redirectUriAtToken?: "required" | "if-present";
  /** Default: query and form_post. */
  responseModes?: ResponseMode[];
  /** Whether consent is remembered. Default: yes, but for native clients. */
  rememberConsent?: boolean;
  /** Whose tokens introspection shows it. Default: own. */
  introspect?: "own" | "any";
  /** The resources it serves. */
  resources?: string[];
  /** Default: jwt. */
  accessTokenFormat?: "jwt" | "opaque";
  idTokenAlg?: SigningAlgorithm;
  disabled?: boolean;
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
  /** How long a person may take to sign in. Default 1 hour. */
  interaction: number;
}
