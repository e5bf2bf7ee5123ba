import type { ClaimsPolicy } from "../../config/policies.ts";
import { type Claims, type ClaimTarget, isServerClaim } from "../../model/claims.ts";
import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { type ClaimsQuery, opensClaims, pickOpenClaims } from "../../protocol/claim_rules.ts";
import { isObject } from "../../util/text/json.ts";
import type { Context } from "../context.ts";
import { findUser } from "../users/users.ts";

/** What claims about a user are needed for, and by which client. */
export interface UserClaimsQuery extends ClaimsQuery {
  client: Client;
}

/** Returns the claims that reach a token. The user is read only if there can be any. */
export async function tokenClaims(
  ctx: Context,
  userName: string,
  query: UserClaimsQuery,
): Promise<Claims> {
  const { policies, scopeClaims, idTokenClaims } = ctx.settings;
  const byServer = scopeClaims.size > 0 || idTokenClaims === "by-scope";
  const names = Object.keys({ ...query.client.claims, ...query.requested });
  // This only saves time: without any of these, no rule opens a claim.
  const areOpen = (byServer || names.length > 0) && opensClaims(query, ctx.settings);
  if (!policies.claims && !areOpen) return {};
  const user = await findUser(ctx, userName);
  return user ? await userClaims(ctx, user, query) : {};
}

/**
 * Returns the claims about a user that reach a target: those that the rules of the configuration
 * open, and those of the policy.
 */
export async function userClaims(
  ctx: Context,
  user: User,
  query: UserClaimsQuery,
): Promise<Claims> {
  const { claims: policy } = ctx.settings.policies;
  const open = pickOpenClaims(user.claims, query, ctx.settings);
  return policy ? { ...open, ...await policyClaims(policy, user, query) } : open;
}

async function policyClaims(
  policy: ClaimsPolicy,
  user: User,
  { client: { id, name, trusted }, scope, target }: UserClaimsQuery,
): Promise<Claims> {
  const claims: unknown = await policy(user, { id, name, trusted }, scope, target);
  return checkPolicyClaims(claims, target);
}

/** A policy that claims to be the server is a mistake that must not pass silently. */
function checkPolicyClaims(claims: unknown, target: ClaimTarget): Claims {
  if (!isObject(claims)) {
    throw new TypeError(`The claims policy must return an object of claims for the ${target}.`);
  }
  const forbidden = Object.keys(claims).find(isServerClaim);
  if (forbidden === undefined) return claims;
  throw new TypeError(
    `The claims policy returned '${forbidden}' for the ${target}, which the server sets itself.`,
  );
}
