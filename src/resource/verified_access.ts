import type { JWTPayload } from "jose";
import { errorFactory, type OAuthError } from "../protocol/oauth_error.ts";
import { formatScope } from "../protocol/scope.ts";

const insufficientScope = errorFactory("insufficient_scope", "RFC 6750, section 3.1");
const insufficientUserAuthentication = errorFactory(
  "insufficient_user_authentication",
  "RFC 9470, section 3",
);

/** Who may do what, according to a token that is in order. */
export interface VerifiedAccess {
  /** The person, or the client that acts for itself. */
  subject?: string;
  /** The client that the token was issued to. */
  clientId?: string;
  /** The scopes of the token. */
  scope: string[];
  /** Everything that the token says. */
  claims: JWTPayload;
  /** The token itself. */
  token: string;
}

/** What one request needs beyond a token. */
export interface AccessRequirements {
  /** All of these. */
  scope?: readonly string[];
  /** For how long the person may have been signed in, in seconds (RFC 9470). */
  maxAge?: number;
  /** One of these ways to have signed in (RFC 9470). */
  acrValues?: readonly string[];
}

export function toVerifiedAccess(claims: JWTPayload, token: string): VerifiedAccess {
  const { sub, client_id, scope } = claims;
  return {
    subject: sub,
    clientId: typeof client_id === "string" ? client_id : undefined,
    scope: typeof scope === "string" ? scope.split(" ").filter(Boolean) : [],
    claims,
    token,
  };
}

export function checkScope(
  { scope }: VerifiedAccess,
  { scope: needed = [] }: AccessRequirements,
): void {
  const missing = needed.filter((token) => !scope.includes(token));
  if (missing.length === 0) return;
  throw insufficientScope(`The access token needs the scope '${formatScope(missing)}' as well.`);
}

/** Whether the person signed in lately, and strongly, enough (RFC 9470, section 3). */
export function checkSignIn(
  { claims }: VerifiedAccess,
  { maxAge, acrValues }: AccessRequirements,
  now: number,
): void {
  const { auth_time, acr } = claims;
  const age = typeof auth_time === "number" ? now / 1000 - auth_time : Infinity;
  if (maxAge !== undefined && age > maxAge) {
    throw insufficient(`The person must have signed in within the last ${maxAge} seconds.`);
  }
  if (acrValues && !acrValues.some((value) => value === acr)) {
    throw insufficient(`The person must have signed in by one of: ${acrValues.join(", ")}.`);
  }
}

/** The members of the challenge that say how to sign in (RFC 9470, section 3). */
export function signInMembers({ maxAge, acrValues }: AccessRequirements): Record<string, string> {
  return {
    ...acrValues && { acr_values: acrValues.join(" ") },
    ...maxAge !== undefined && { max_age: String(maxAge) },
  };
}

function insufficient(message: string): OAuthError {
  return insufficientUserAuthentication(message);
}
