import type { JWTPayload } from "jose";
import { applyRule } from "../server/protocol/rule.ts";
import { isScopeToken } from "../server/protocol/scope.ts";
import { apiRules } from "./api_rules.ts";

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

/** Scopes by the broader scope that implies them: `{ write: ["read"] }`. */
export type ImpliedScopes = Readonly<Record<string, readonly string[]>>;

/** Which scopes imply others. */
export type ScopeHierarchy = ReturnType<typeof createScopeHierarchy>;

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
  applyRule(apiRules.scope, { missing: missing(required, access.scope) });
}

/** Checks that the user's sign-in is recent and strong enough (RFC 9470, section 3). */
export function checkSignIn(
  { claims }: VerifiedAccess,
  { maxAge, acrValues }: AccessRequirements,
  now: number,
): void {
  const { auth_time, acr } = claims;
  const age = typeof auth_time === "number" ? now / 1000 - auth_time : Infinity;
  applyRule(apiRules.sign_in_age, { age, maxAge });
  applyRule(apiRules.sign_in_acr, { acr, acrValues });
}

/** Returns the challenge parameters that describe the required sign-in (RFC 9470, section 3). */
export function signInMembers({ maxAge, acrValues }: AccessRequirements): Record<string, string> {
  return {
    ...acrValues && { acr_values: acrValues.join(" ") },
    ...maxAge !== undefined && { max_age: String(maxAge) },
  };
}

/**
 * Creates a hierarchy from the configuration of an API. What a scope implies may imply others.
 *
 * @throws {TypeError} A scope is not one.
 */
export function createScopeHierarchy(implied: ImpliedScopes = {}) {
  const below = new Map(
    Object.entries(implied).map(([token, scopes]) => {
      checkEntry(token, scopes);
      return [token, [...scopes]];
    }),
  );

  /** Two scopes may imply each other, so each is visited once. */
  function withImplied(granted: readonly string[]): Set<string> {
    const reached = new Set(granted);
    for (const token of reached) {
      for (const each of below.get(token) ?? []) reached.add(each);
    }
    return reached;
  }

  return {
    /** Returns the required scopes that no granted one is or implies. */
    missing(required: readonly string[], granted: readonly string[]): string[] {
      const reached = withImplied(granted);
      return required.filter((token) => !reached.has(token));
    },
    /** Returns the fewest of the required scopes that suffice: none that another one implies. */
    fewest(required: readonly string[]): string[] {
      return required.reduce((kept, token) => {
        const others = kept.filter((each) => each !== token);
        return withImplied(others).has(token) ? others : kept;
      }, [...new Set(required)]);
    },
  };
}

function checkEntry(token: string, scopes: unknown): void {
  const isList = Array.isArray(scopes) &&
    scopes.every((each) => typeof each === "string" && isScopeToken(each));
  if (isScopeToken(token) && isList) return;
  throw new TypeError(`The 'impliedScopes' of '${token}' must be a list of scopes.`);
}
