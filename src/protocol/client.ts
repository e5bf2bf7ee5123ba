import type { ResponseMode } from "./reply.ts";
import type { SigningAlgorithm } from "./signing.ts";

/** How a client proves who it is at the endpoints that ask (OAuth 2.1, section 2.4). */
export type ClientAuthenticationMethod = "none" | "client_secret_basic" | "client_secret_post";

/** A registered application, as every rule sees it. */
export interface Client {
  id: string;
  name: string;
  /** Ways in which the client may authenticate. Exactly `["none"]` is what makes a client public. */
  authentication: ClientAuthenticationMethod[];
  /** SHA-256 of the secret, in base64url. */
  secretHash?: string;
  redirectUris: string[];
  grantTypes: string[];
  /** What it may ask for. */
  scope: string[];
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
  /** Resources that belong to it: tokens for them are shown to it. */
  resources: string[];
  accessTokenFormat: "jwt" | "opaque";
  idTokenAlg?: SigningAlgorithm;
  /** Written by the operator. What a stranger registered is less than that. */
  trusted: boolean;
  disabled: boolean;
}

/** A client that holds no secret (OAuth 2.1, section 2.1). */
export function isPublic(client: Client): boolean {
  return client.authentication.includes("none");
}
