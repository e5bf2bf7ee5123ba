import {
  claimNames,
  type Claims,
  type ClaimTarget,
  type ClaimTargets,
  isServerClaim,
  type OwnScopes,
} from "../model/claims.ts";
import type { Client } from "../model/client.ts";
import {
  type ClaimsRequest,
  isAcceptable,
  type RequestedClaims,
  requestedUserClaims,
} from "./claims_request.ts";

/** The rules of a server that open claims about users. */
export interface ClaimRules extends OwnScopes {
  /** The claims that scopes open, other than the standard ones. */
  scopeClaims: ReadonlyMap<string, readonly string[] | ClaimTargets>;
  /** Whether the standard claims of a scope reach the ID token, or userinfo alone. */
  idTokenClaims?: "by-scope" | "minimal" | undefined;
}

/** The members of a client that open claims for it. */
export type ClaimReceiver = Pick<Client, "scopes" | "claims">;

/** What claims about a user are needed for. */
export interface ClaimsQuery {
  target: ClaimTarget;
  /** The scope that was granted. */
  scope: readonly string[];
  client: ClaimReceiver;
  /** The claims that the client requested by name for this target. */
  requested?: RequestedClaims | undefined;
}

/** Every place where claims about users can go. */
const claimTargets: readonly ClaimTarget[] = ["id_token", "access_token", "userinfo"];

/**
 * Returns the claims about a user that reach a target: those of the granted scope, those of the
 * client, and among what else is open to the client those that it requested by name. A claim that
 * no rule opens reaches nothing, and neither does one that the server sets itself.
 */
export function pickOpenClaims(claims: Claims, query: ClaimsQuery, rules: ClaimRules): Claims {
  const { target, client, requested = {} } = query;
  const named = Object.entries(requested).flatMap(([name, request]) => {
    const isOpen = mayNameClaim(client, name, target, rules) && isAcceptable(claims[name], request);
    return isOpen ? [name] : [];
  });
  const open = [...openWithoutRequest(query, rules), ...named];
  const names = open.filter((name) => Object.hasOwn(claims, name) && !isServerClaim(name));
  return Object.fromEntries(names.map((name) => [name, claims[name]]));
}

/** Whether any claim can reach a target. If not, the user need not be looked up. */
export function opensClaims(query: ClaimsQuery, rules: ClaimRules): boolean {
  return openWithoutRequest(query, rules).length + Object.keys(query.requested ?? {}).length > 0;
}

/**
 * Whether a client may request a claim by name (OpenID Connect Core, section 5.5): the claims that
 * its scopes or its own rule open there, and with `openid` those about the sign-in.
 */
export function mayNameClaim(
  { scopes, claims }: ClaimReceiver,
  name: string,
  target: ClaimTarget,
  rules: ClaimRules,
): boolean {
  if (isServerClaim(name)) return scopes.includes("openid");
  return (target !== "access_token" && claimNames(scopes, rules).includes(name)) ||
    scopeClaims(scopes, target, rules).includes(name) ||
    claimsAt(claims, target).includes(name);
}

/**
 * Returns the claims that a client gets in addition to its scope's: by its own rule, and by name.
 * The consent page lists them.
 */
export function claimsBeyondScope(
  scope: readonly string[],
  request: ClaimsRequest | undefined,
  rules: ClaimRules,
  client?: ClaimReceiver,
): string[] {
  if (request === undefined && client?.claims === undefined) return [];
  const covered = coveredClaims(scope, rules);
  const names = [...openedNames(client?.claims), ...requestedUserClaims(request)];
  return [...new Set(names)].filter((name) => !covered.includes(name));
}

/** Drops from a request the claims that belong to a refused part of the scope. */
export function narrowClaimsRequest(
  request: ClaimsRequest | undefined,
  { requested, granted }: { requested: readonly string[]; granted: readonly string[] },
  rules: ClaimRules,
): ClaimsRequest | undefined {
  if (!request) return undefined;
  const kept = coveredClaims(granted, rules);
  const dropped = coveredClaims(requested, rules).filter((name) => !kept.includes(name));
  const narrow = (claims: RequestedClaims) =>
    Object.fromEntries(Object.entries(claims).filter(([name]) => !dropped.includes(name)));
  return { userinfo: narrow(request.userinfo), idToken: narrow(request.idToken) };
}

/** Returns the claims that the configuration opens to a scope, for any target. */
export function claimsOfScopes(scope: readonly string[], rules: ClaimRules): string[] {
  return [...new Set(claimTargets.flatMap((target) => scopeClaims(scope, target, rules)))];
}

function coveredClaims(scope: readonly string[], rules: ClaimRules): string[] {
  return [...claimNames(scope, rules), ...claimsOfScopes(scope, rules)];
}

export function openedNames(rule: readonly string[] | ClaimTargets | undefined): string[] {
  return [...new Set(claimTargets.flatMap((target) => claimsAt(rule, target)))];
}

function openWithoutRequest({ target, scope, client }: ClaimsQuery, rules: ClaimRules): string[] {
  // The standard claims are for userinfo (OpenID Connect Core, section 5.4).
  const areOpen = target === "userinfo" ||
    (target === "id_token" && rules.idTokenClaims === "by-scope");
  return [
    ...areOpen ? claimNames(scope, rules) : [],
    ...scopeClaims(scope, target, rules),
    ...claimsAt(client.claims, target),
  ];
}

function scopeClaims(scope: readonly string[], target: ClaimTarget, rules: ClaimRules): string[] {
  if (rules.scopeClaims.size === 0) return [];
  return scope.flatMap((token) => claimsAt(rules.scopeClaims.get(token), target));
}

/** A list is for every target. */
function claimsAt(
  rule: readonly string[] | ClaimTargets | undefined,
  target: ClaimTarget,
): readonly string[] {
  if (rule === undefined || isList(rule)) return rule ?? [];
  const { idToken = [], accessToken = [], userinfo = [] } = rule;
  return { id_token: idToken, access_token: accessToken, userinfo }[target];
}

function isList(rule: readonly string[] | ClaimTargets): rule is readonly string[] {
  return Array.isArray(rule);
}
