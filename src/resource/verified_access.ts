import type { JWTPayload } from "jose";
import { applyRule, type Rule } from "../server/protocol/rule.ts";
import { formatScope } from "../server/protocol/scope.ts";
import type { ScopeHierarchy } from "./scope_hierarchy.ts";

export const tokenHasScope: Rule<{ missing: readonly string[] }> = {
  id: "api.scope",
  title: "The access token has the scope that the API requires",
  see: "RFC 6750, section 3.1",
  parameter: "Authorization",
  error: "insufficient_scope",
  message: ({ missing }) => `The access token lacks the scope '${formatScope(missing)}'.`,
  advice: "Request this scope in an authorization request.",
  holds: ({ missing }) => missing.length === 0,
};

const aboutSignIn = {
  see: "RFC 9470, section 3",
  parameter: "Authorization",
  error: "insufficient_user_authentication",
  advice: "Send the user to the authorization endpoint, with the parameters of the challenge.",
} as const;

export const signInIsRecent: Rule<{ age: number; maxAge: number | undefined }> = {
  ...aboutSignIn,
  id: "api.sign_in_age",
  title: "The user has signed in recently enough",
  message: ({ maxAge }) => `The user must have signed in within the last ${maxAge} seconds.`,
  holds: ({ age, maxAge }) => maxAge === undefined || age <= maxAge,
};

export const signInIsStrong: Rule<{ acr: unknown; acrValues: readonly string[] | undefined }> = {
  ...aboutSignIn,
  id: "api.sign_in_acr",
  title: "The sign-in of the user has an acceptable acr",
  message: ({ acrValues = [] }) =>
    `The 'acr' of the user's sign-in must be one of: ${acrValues.join(", ")}.`,
  holds: ({ acr, acrValues }) => !acrValues || acrValues.some((value) => value === acr),
};

/** What a valid access token allows, and to whom. */
export interface VerifiedAccess {
  /** The user, or the client itself if it acts without a user. */
  subject?: string | undefined;
  /** The client that the token was issued to. */
  clientId?: string | undefined;
  /** The scopes of the token, without those that they imply. */
  scope: string[];
  /** All claims of the token. */
  claims: JWTPayload;
  /** The token itself. */
  token: string;
}

/** What a request needs beyond a valid token. */
export interface AccessRequirements {
  /** The scopes that the token must have, all of them, or broader ones (`impliedScopes`). */
  scope?: readonly string[] | undefined;
  /** The maximum age of the user's sign-in, in seconds (RFC 9470). */
  maxAge?: number | undefined;
  /** The acceptable `acr` values of the user's sign-in (RFC 9470). */
  acrValues?: readonly string[] | undefined;
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

/** Checks that a token has all required scopes, or broader ones. */
export function checkScope(
  access: VerifiedAccess,
  { scope: required = [] }: AccessRequirements,
  { missing }: ScopeHierarchy,
): void {
  applyRule(tokenHasScope, { missing: missing(required, access.scope) });
}

/** Checks that the user's sign-in is recent and strong enough (RFC 9470, section 3). */
export function checkSignIn(
  { claims }: VerifiedAccess,
  { maxAge, acrValues }: AccessRequirements,
  now: number,
): void {
  const { auth_time, acr } = claims;
  const age = typeof auth_time === "number" ? now / 1000 - auth_time : Infinity;
  applyRule(signInIsRecent, { age, maxAge });
  applyRule(signInIsStrong, { acr, acrValues });
}

/** Returns the challenge parameters that describe the required sign-in (RFC 9470, section 3). */
export function signInMembers({ maxAge, acrValues }: AccessRequirements): Record<string, string> {
  return {
    ...acrValues && { acr_values: acrValues.join(" ") },
    ...maxAge !== undefined && { max_age: String(maxAge) },
  };
}
