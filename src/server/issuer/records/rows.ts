import type { UserAgent } from "../../http/user_agent.ts";
import type { AccessRights, AccessTokenClaims, BoundKeys } from "../../model/access_token.ts";
import type { ClientReference } from "../../model/client.ts";
import type { KeyAlgorithm } from "../../model/signing.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import type { ClaimsRequest } from "../../protocol/claims_request.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";

/**
 * What a user allowed a client: the parent of everything issued from it. The row never changes; it
 * is deleted.
 */
export interface Authorization extends AccessRights, ClientReference {
  id: string;
  /** The name under which the user is found. */
  userName: string;
  /** Identifies the user, because the name may be reassigned. */
  userSubject: string;
  /** The epoch of the user when it was made. It is void once the user has another one. */
  userEpoch?: string | undefined;
  /** The `sub` by which the client knows the user. */
  subject: string;
  /** The session it was given in; none if a trusted issuer asserted the user. */
  sid?: string | undefined;
  /** The trusted issuer that asserted the user. It is void once the client has it no longer. */
  assertedBy?: string | undefined;
  /** When the user signed in, in seconds. */
  authTime?: number | undefined;
  acr?: string | undefined;
  amr?: string[] | undefined;
  /** By what the user signed in, unless by password. */
  factor?: "passkey" | undefined;
  /** The claims that the client requested by name, in addition to its scope. */
  claims?: ClaimsRequest | undefined;
  /** Until when tokens may be issued from it, in milliseconds. Rotation does not extend this. */
  issuingUntil: number;
}

/** Leads from a user to the authorizations of a client, or in earlier versions, to one of them. */
export interface UserAuthorization {
  /** When the last one was made, in milliseconds. */
  since: number;
}

/** What names an authorization that it was issued from. */
export interface IssuedRow {
  authorization: string;
  /**
   * The session that it ends with, so that both can be read at once. The authorization decides:
   * rows of earlier versions lack it.
   */
  sid?: string | undefined;
}

export interface Code extends IssuedRow {
  redirectUri: string;
  codeChallenge?: string | undefined;
  nonce?: string | undefined;
  /** The thumbprint of the key that the code is bound to (RFC 9449, section 10). */
  jkt?: string | undefined;
}

/**
 * A refresh token. Only those of public clients are bound to keys: the others authenticate (RFC
 * 9449, section 5; RFC 8705, section 4).
 */
export interface RefreshToken extends IssuedRow, BoundKeys {}

export interface OpaqueToken extends Pick<IssuedRow, "sid"> {
  claims: AccessTokenClaims;
}

/** A sign-in session of a browser. */
export interface Session {
  /**
   * Identifies the session to clients. When the same user signs in again, it stays and the cookie
   * changes.
   */
  sid: string;
  userName: string;
  /** Identifies the user, because the name may be reassigned. */
  subject: string;
  userEpoch?: string | undefined;
  /** In seconds. */
  authTime: number;
  /** How strong the sign-in was, and the methods it used (OpenID Connect Core, section 2). */
  acr?: string | undefined;
  amr?: string[] | undefined;
  /** By what the user signed in, unless by password. */
  factor?: "passkey" | undefined;
  /** The browser of the sign-in, by which the user recognizes the session. */
  userAgent?: UserAgent | undefined;
}

export interface SessionClientRow {
  /** The `sub` by which the client knows the user. */
  subject: string;
}

/**
 * A request that waits for the user at the browser. The row never changes; it is consumed. The
 * progress has its own row, so that a late form cannot revive an interaction that was consumed.
 */
export interface Interaction {
  pending: PendingRequest;
  /** SHA-256 of the cookie of the browser that began it. */
  browserHash: string;
  /** The id of the pushed request that it came from; both are consumed together. */
  pushedId?: string | undefined;
}

/** An authorization request that is stored until a browser names it. */
export interface StoredRequest {
  authorizationRequest: AuthorizationRequest;
  /** Until when it can be started, in milliseconds. */
  until: number;
}

/**
 * A remembered consent. The row never changes: a consent in progress must not restore one that was
 * withdrawn.
 */
export interface Consent {
  /** The scope that was allowed at each resource; "" is the default resource. */
  scopeAt: Record<string, string[]>;
  /** When it was given, in milliseconds. */
  since: number;
  /** The claims that were allowed by name. */
  claims?: string[] | undefined;
  /** Identify the user and the client, because both names may be reassigned. */
  userInstance?: string | undefined;
  clientInstance?: string | undefined;
}

/** The users who have signed in with a browser. */
export interface FamiliarBrowserRow {
  /** The most recent first. */
  subjects: string[];
}

/** Leads to a user. It may be outdated. */
export interface UserClaimRow {
  name: string;
  /** The one of the user that it was written for. */
  revision?: string | undefined;
}

/** How often all users were read to add what leads to them, since when, and up to which one. */
export interface Completion {
  passes: number;
  /** In milliseconds. */
  at: number;
  after?: string | undefined;
}

/** What the clock of a server showed latest, and since when without a jump, in milliseconds. */
export interface ClockNote {
  at: number;
  since: number;
}

/** A change by an administrator. It never holds a secret, and no claim of a user. */
export interface AdminChange {
  /** When it was made, in milliseconds. */
  at: number;
  /** Who made it: the operating system's name of the user. */
  by: string;
  /** As typed: "client set". */
  command: string;
  /** What was changed: the id of a client, the name of a user. */
  target: string;
  /** What is different now, one sentence or setting each. */
  details: string[];
}

/** A key that signs or decrypts. The row never changes; a successor is another row. */
export interface KeyRow {
  kid: string;
  alg: KeyAlgorithm;
  /** From when it signs, in milliseconds. */
  from: number;
  /** Since when a key of the configuration signs instead, in milliseconds. */
  supersededAt?: number | undefined;
  /** The private JWK, encrypted if the server has a secret. */
  encryptedKey: string;
  /** Whether it was stored in clear text first, so that others may have copied it. */
  wasClear?: boolean | undefined;
}
