import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { findReferredClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import type { Authorization } from "../records/rows.ts";
import { isOfCurrentEpoch } from "../users/epochs.ts";
import { findUser } from "../users/users.ts";

/** An authorization that is in force, with its client and its user. */
export interface ActiveAuthorization {
  authorization: Authorization;
  client: Client;
  user: User;
}

/** Finds an authorization unless it was revoked, or its client or user is gone or signed out. */
export async function findActiveAuthorization(
  ctx: Context,
  id: string,
): Promise<ActiveAuthorization | undefined> {
  const authorization = await ctx.records.authorizations.find(id);
  if (!authorization || !isStillAsserted(ctx, authorization)) return undefined;
  const [client, user, hasEnded] = await Promise.all([
    findReferredClient(ctx, authorization),
    findUser(ctx, authorization.userName),
    hasSignedOut(ctx, authorization),
  ]);
  if (!client || !user || hasEnded) return undefined;
  // The name may have been reassigned, and its user disabled since.
  const isSame = user.subject === authorization.userSubject &&
    isOfCurrentEpoch(user, authorization);
  return isSame ? { authorization, client, user } : undefined;
}

/** What an issuer asserted ends when the operator no longer trusts it, or not for that client. */
function isStillAsserted(
  { settings }: Context,
  { assertedBy, clientId }: Authorization,
): boolean {
  if (assertedBy === undefined) return true;
  return settings.assertingIssuers.get(assertedBy)?.includes(clientId) ?? false;
}

/** Offline access outlives the session (OpenID Connect Core, section 11). */
async function hasSignedOut(ctx: Context, { scope, sid }: Authorization): Promise<boolean> {
  if (sid === undefined || scope.includes("offline_access")) return false;
  return await ctx.records.endedSessions.get(sid) !== undefined;
}
