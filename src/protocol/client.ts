import type { ResponseMode } from "./reply.ts";
import type { SigningAlgorithm } from "./signing.ts";

/** How a client proves who it is at the endpoints that ask (OAuth 2.1, section 2.4). */
export const clientAuthenticationMethods = ["client_secret_basic", "client_secret_post", "none"] as const;

export type ClientAuthenticationMethod = (typeof clientAuthenticationMethods)[number];

/** A registered application. */
export interface Client {
  id: string;
  name: string;
  /** The ways in which the client may authenticate. */
  authentication: ClientAuthenticationMethod[];
  /** SHA-256 of the secret, in base64url. */
  secretHash?: string;
  redirectUris: string[];
  grantTypes: string[];
  /** What it may ask for. */
  scopes: string[];
  /** What it gets when it asks for nothing in particular. */
  defaultScope: string[];
  /** Runs on the user's own machine: any port of its loopback URIs, and the user is asked each time. */
  native: boolean;
  pkce: "required" | "optional";
  redirectUriAtToken: "required" | "if-present";
  responseModes: ResponseMode[];
  rememberConsent: boolean;
  /** Whose tokens introspection shows it: its own and those meant for its resources, or everybody's. */
  introspect: "own" | "any";
  /** The resources that it serves: tokens meant for them are shown to it. */
  resources: string[];
  accessTokenFormat: "jwt" | "opaque";
  idTokenAlg?: SigningAlgorithm;
  disabled: boolean;
}

/** A client that holds no secret (OAuth 2.1, section 2.1). */
export function isPublic(client: Client): boolean {
  return client.authentication.length === 1 && client.authentication[0] === "none";
}

/** Whether a client gets refresh tokens. */
export function mayRefresh(client: Client): boolean {
  return client.grantTypes.includes("refresh_token");
}
