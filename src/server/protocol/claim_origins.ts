import { type Claims, type ClaimTarget, isServerClaim } from "../model/claims.ts";
import type { User } from "../model/user.ts";
import {
  type ClaimRules,
  type ClaimsQuery,
  claimTargets,
  isOpenByName,
  isOpenByScope,
  isOpenToClient,
  mayNameClaim,
} from "./claim_rules.ts";

/** The sources of the claims about a user for one target. */
export interface ComposedClaims {
  user: User;
  query: ClaimsQuery;
  /** The claims of the policy. */
  added: Claims;
}

/** Receives the sources of claims, to explain them to developers. */
export type ExplainClaims = (composed: ComposedClaims) => void;

/** What opened a claim: a scope, the settings of the client, or the parameter `claims`. */
export type ClaimOrigin =
  | { by: "scope"; scope: string }
  | { by: "client" }
  | { by: "request" };

/** Why a claim about a user does not reach a target. */
export type ClaimAbsence =
  /** The user has no such claim. */
  | { reason: "no value" }
  /** The client accepts only other values. */
  | { reason: "other value" }
  /** The client requested it by name, but may not. */
  | { reason: "not allowed" }
  /** One of these scopes would open it. */
  | { reason: "scope"; scopes: string[] }
  /** It reaches other targets only. */
  | { reason: "target"; targets: ClaimTarget[] }
  /** No rule opens it for any target. */
  | { reason: "no rule" };

/**
 * Returns what opens a claim, by the rules of `pickOpenClaims`: a claim with an origin is picked if
 * the user has it.
 */
export function findClaimOrigins(
  name: string,
  claims: Claims,
  query: ClaimsQuery,
  rules: ClaimRules,
): ClaimOrigin[] {
  if (isServerClaim(name)) return [];
  const { target, scope, client } = query;
  const tokens = scope.filter((token) => isOpenByScope(name, token, target, rules));
  return [
    ...tokens.map((token): ClaimOrigin => ({ by: "scope", scope: token })),
    ...isOpenToClient(name, client, target) ? [{ by: "client" } as const] : [],
    ...isOpenByName(name, claims, query, rules) ? [{ by: "request" } as const] : [],
  ];
}

/** Claims that a client asked for, and the scopes of the server. */
export interface AskedClaims {
  /** The names in the parameter `claims` for the target, allowed or not. */
  names: readonly string[];
  /** Every scope of the server. */
  scopes: readonly string[];
}

/** Returns why a claim is not among those that `pickOpenClaims` returns. */
export function explainAbsence(
  name: string,
  claims: Claims,
  query: ClaimsQuery,
  rules: ClaimRules,
  asked: AskedClaims,
): ClaimAbsence {
  const { target } = query;
  if (findClaimOrigins(name, claims, query, rules).length > 0) return { reason: "no value" };
  if (asked.names.includes(name)) {
    const problem = requestProblem(name, claims, query, rules);
    if (problem) return problem;
  }
  const scopes = asked.scopes.filter((token) => isOpenByScope(name, token, target, rules));
  if (scopes.length > 0) return { reason: "scope", scopes };
  const targets = claimTargets.filter((each) =>
    findClaimOrigins(name, claims, { ...query, target: each }, rules).length > 0
  );
  return targets.length > 0 ? { reason: "target", targets } : { reason: "no rule" };
}

/** Returns why a request by name does not open a claim, unless it was dropped with its scope. */
function requestProblem(
  name: string,
  claims: Claims,
  { target, client, requested = {} }: ClaimsQuery,
  rules: ClaimRules,
): ClaimAbsence | undefined {
  if (!mayNameClaim(client, name, target, rules)) return { reason: "not allowed" };
  if (!Object.hasOwn(claims, name)) return { reason: "no value" };
  return Object.hasOwn(requested, name) ? { reason: "other value" } : undefined;
}
