import type { AccessRights } from "../../model/access_rights.ts";
import type { AccessTokenClaims } from "../../model/access_token.ts";
import type { SigningAlgorithm } from "../../model/signing.ts";
import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import type { ClaimsRequest } from "../../protocol/claims_request.ts";
import type { Device } from "../../protocol/device_request.ts";
import type { SubjectHint } from "../../protocol/interactive_request.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";

/** What a person allowed a client: the parent of everything that is issued from it. It never changes; it is deleted. */
export interface Authorization extends AccessRights {
  id: string;
  clientId: string;
  /** The person, by the name under which users are found. */
  userName: string;
  /** Who that was: the name may be given to somebody else. */
  userSubject: string;
  /** The epochs of both when it was made; once either has another one, it is void. */
  userEpoch?: string;
  clientEpoch?: string;
  /** The `sub` by which the client knows the person. */
  subject: string;
  /** The sign-in session it was given in; none, where somebody else vouched for the person. */
  sid?: string;
  /** When the person signed in, in seconds. */
  authTime?: number;
  acr?: string;
  amr?: string[];
  /** What the client asked for by name, beside its scope. */
  claims?: ClaimsRequest;
  /** Until when tokens may be issued from it, in milliseconds; no rotation extends this. */
  issuingUntil: number;
}

/** Leads from a person to what they allowed. */
export interface UserAuthorization {
  /** In milliseconds. */
  since: number;
}

export interface Code {
  authorization: string;
  redirectUri: string;
  codeChallenge?: string;
  nonce?: string;
  /** The key without which it is worth nothing (RFC 9449, section 10). */
  jkt?: string;
}

export interface RefreshToken {
  authorization: string;
  /** The key without which it is worth nothing; for public clients alone, the others authenticate (RFC 9449, section 5). */
  jkt?: string;
}

/** What an opaque access token stands for. */
export interface OpaqueToken {
  claims: AccessTokenClaims;
}

export interface Session {
  /** The session's name towards clients. It stays when the same person signs in again; the cookie does not. */
  sid: string;
  userName: string;
  /** Who that was: the name may be given to somebody else. */
  subject: string;
  /** The epoch of the user at the sign-in. */
  userEpoch?: string;
  /** In seconds. */
  authTime: number;
  /** How strong the sign-in was, and by what means it was made (OpenID Connect Core, section 2). */
  acr?: string;
  amr?: string[];
}

/** What a client knows of a session. */
export interface SessionClientRow {
  /** The `sub` by which it knows the person. */
  subject: string;
}

/** A client that has to be told of the end of a session. */
export interface LogoutDelivery {
  id: string;
  clientId: string;
  subject: string;
  sid: string;
  /** The first try is 1. */
  attempt: number;
  /** In milliseconds. */
  dueAt: number;
}

/** A request to sign out that waits for its person. */
export interface StoredLogoutRequest {
  /** What its ID token says. The token itself is a credential elsewhere, and is not kept. */
  hint?: SubjectHint & { sid?: string };
  parameters: Record<string, string>;
}

/** A request that waits for the person in front of the browser. The row never changes; it is used up. */
export interface Interaction {
  pending: PendingRequest;
  /** SHA-256 of the cookie of the browser that began it. */
  browserHash: string;
  /** Where the request was kept before, if it did not come by URL: it is used up together with this. */
  pushedId?: string;
}

/** How far a person has come with an interaction. It is a row of its own, so that no late form can revive an interaction that was used up. */
export interface InteractionProgress {
  /** The session that was opened, or chosen, for it. */
  chosen?: string;
  /** Whether it was opened for it, by a sign-in. */
  chosenBySignIn?: boolean;
  /** Whether the person wants to be somebody else than the one who is signed in. */
  mustSignIn?: boolean;
}

/** What a device asks for its answer with. */
export interface DeviceCode {
  device: Device;
  clientId: string;
  codeChallenge?: string;
}

/** What a person decided about a device. */
export type DeviceDecision = { denied?: undefined; authorization: string } | { denied: true };

/** An authorization request that is kept until a browser names it. */
export interface PushedRequest {
  authorizationRequest: AuthorizationRequest;
  /** Until when it can be begun, in milliseconds. */
  until: number;
}

/** What a person allowed a client once. The row never changes: what was taken back cannot be written again by a consent under way. */
export interface Consent {
  /** The scope that was allowed at each resource; at "" where none was named. */
  scopeAt: Record<string, string[]>;
  /** When it was allowed, in milliseconds. */
  since: number;
  /** The claims that were allowed by name. */
  claims?: string[];
  /** Who allowed it to whom: both names may be given again. */
  userInstance?: string;
  clientInstance?: string;
}

/** Who has signed in with a browser. */
export interface FamiliarBrowserRow {
  /** The latest first. */
  subjects: string[];
}

/** A signing key. It never changes; a successor is another row. */
export interface KeyRow {
  kid: string;
  alg: SigningAlgorithm;
  /** From when it signs, in milliseconds. */
  from?: number;
  /** The private JWK, sealed where there is a secret to seal it with. */
  encryptedKey: string;
}
