import type { ClaimsPolicy } from "../../config/policies.ts";
import { type Claims, groupsScope, isServerClaim } from "../../model/claims.ts";
import { alwaysAuthenticates, type Client, describesItself } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import {
  type ClaimRules,
  type ClaimsQuery,
  opensClaims,
  pickOpenClaims,
} from "../../protocol/claim_rules.ts";
import { isObject } from "../../util/text/json.ts";
import type { Context } from "../context.ts";
import { findUser } from "../users/users.ts";

/** How long the groups in an ID token may be, in JSON. */
const maxGroupsLength = 4096;

/** What claims about a user are needed for, and by which client. */
export interface UserClaimsQuery extends ClaimsQuery {
  client: Client;
}

/** Returns the claims that reach a token. An unknown user is read only if there can be any. */
export async function tokenClaims(
  ctx: Context,
  userName: string,
  query: UserClaimsQuery,
  known?: User,
): Promise<Claims> {
  const { policies, ownGroups } = ctx.settings;
  const mayHaveAny = policies.claims || known || opensClaims(query, rulesFor(ctx, query.client));
  if (!mayHaveAny) return {};
  const user = known ?? await findUser(ctx, userName);
  const claims = user ? await userClaims(ctx, user, query) : {};
  if (query.target !== "id_token" || !ownGroups) return claims;
  // Groups that would make an ID token too long for a header or an address are left to userinfo.
  const { [groupsScope]: groups = [], ...others } = claims;
  if (JSON.stringify(groups).length <= maxGroupsLength) return claims;
  ctx.emit({ type: "groups.left_out", user: userName, client: query.client.id });
  return others;
}

/**
 * Returns the claims about a user that reach a target: those that the rules of the configuration
 * open, and those of the policy. Clients also learn the user name, unless they have pairwise
 * subjects, because all others know the same name. A user without groups has no such claim.
 */
export function userClaims(
  ctx: Context,
  user: User,
  query: UserClaimsQuery,
): Claims | Promise<Claims> {
  const { settings } = ctx;
  const { client, scope } = query;
  const { name, claims: { [groupsScope]: groups, ...claims } } = user;
  const isSecret = settings.preferredUsername === "claim" || client.subjectType === "pairwise" ||
    (name.includes("@") && !scope.includes("email"));
  const isEmpty = settings.ownGroups && Array.isArray(groups) && groups.length === 0;
  const known = {
    ...!isSecret && { preferred_username: name },
    ...claims,
    ...groups !== undefined && !isEmpty && { groups },
  };
  const open = pickOpenClaims(known, query, rulesFor(ctx, client));
  const { claims: policy } = settings.policies;
  return policy ? withPolicyClaims(open, policy, user, query) : open;
}

/**
 * Returns the rules for a client. An ID token is short where it may go anywhere: to a browser, or to
 * a client that no operator knows.
 */
function rulesFor({ settings }: Context, client: Client): ClaimRules {
  const { scopeClaims, ownGroups } = settings;
  const given = client.idTokenClaims ?? settings.idTokenClaims;
  const byScope = alwaysAuthenticates(client) && !describesItself(client);
  return { scopeClaims, ownGroups, idTokenClaims: given ?? (byScope ? "by-scope" : "minimal") };
}

async function withPolicyClaims(
  open: Claims,
  policy: ClaimsPolicy,
  user: User,
  { client: { id, name, trusted }, scope, target }: UserClaimsQuery,
): Promise<Claims> {
  const claims: unknown = await policy(user, { id, name, trusted }, scope, target);
  if (!isObject(claims)) {
    throw new TypeError(`The claims policy must return an object of claims for the ${target}.`);
  }
  // A policy that claims to be the server is a mistake that must not pass silently.
  const forbidden = Object.keys(claims).find(isServerClaim);
  if (forbidden === undefined) return { ...open, ...claims };
  throw new TypeError(
    `The claims policy returned '${forbidden}' for the ${target}, which the server sets itself.`,
  );
}
