import type { AuthorizationRequest } from "../protocol/authorization_request.ts";
import type { Claims } from "../protocol/claims.ts";
import type { SigningAlgorithm } from "../protocol/signing.ts";

/** A person who can sign in. */
export interface User {
  /** What is typed at sign-in, and the name under which the person is found. */
  name: string;
  /** The subject identifier that clients see; it never changes (OpenID Connect Core, section 2). */
  subject: string;
  passwordHash?: string;
  claims: Claims;
  disabled: boolean;
}

/** What a person, or a client for itself, allowed: the parent of everything that is issued from it. It never changes; it is deleted. */
export interface Authorization {
  id: string;
  clientId: string;
  /** The person, by the name under which users are found. */
  userName: string;
  subject: string;
  /** The sign-in session it was given in. */
  sid: string;
  scope: string[];
  resources: string[];
  /** In seconds. */
  authTime: number;
  /** Until when tokens may be issued from it, in milliseconds; no rotation extends this. */
  issuingUntil: number;
}

export interface Code {
  authorization: string;
  redirectUri: string;
  codeChallenge?: string;
  nonce?: string;
}

export interface RefreshToken {
  authorization: string;
}

/** What a token says that is not itself readable. */
export interface OpaqueToken {
  claims: Record<string, unknown>;
}

export interface Session {
  /** The session's name towards clients. It stays when the same person signs in again; the cookie does not. */
  sid: string;
  userName: string;
  /** In seconds. */
  authTime: number;
}

/** A request that waits for the person in front of the browser. */
export interface Interaction {
  request: AuthorizationRequest;
  /** SHA-256 of the cookie of the browser that began it. */
  browser: string;
  /** The session that was opened, or chosen, for it. */
  chosen?: string;
}

/** What a person has allowed a client before. */
export interface Consent {
  scope: string[];
}

/** A key as the store holds it. */
export interface KeyRow {
  kid: string;
  alg: SigningAlgorithm | "HMAC";
  /** The private JWK, sealed where there is a secret to seal it with. */
  sealed: string;
}
