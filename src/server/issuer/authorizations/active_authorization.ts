import { type Client, refersTo } from "../../model/client.ts";
import { mayUse, type User } from "../../model/user.ts";
import { allOf } from "../../util/time/promises.ts";
import { findReferredClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import type { Authorization, IssuedRow } from "../records/rows.ts";
import { isSufficientFor } from "../users/sign_in_factor.ts";
import { findUser, isOfCurrentEpoch } from "../users/users.ts";

/** An authorization that is in force, with its client and its user. */
export interface ActiveAuthorization {
  authorization: Authorization;
  client: Client;
  user: User;
}

/**
 * Finds an authorization unless it was revoked, its client or user is gone or signed out, or the
 * user may no longer use the client. The client that sent the request was looked up already.
 */
export async function findActiveAuthorization(
  ctx: Context,
  { authorization: id, sid }: IssuedRow,
  sender?: Client,
): Promise<ActiveAuthorization | undefined> {
  const { authorizations, endedSessions } = ctx.records;
  const presumedEnd = sid === undefined ? [] : [endedSessions.calls.get(sid)];
  const [row, mark] = await ctx.records.batch(authorizations.calls.get(id), ...presumedEnd);
  const authorization = row?.value;
  if (!authorization || !isStillAsserted(ctx, authorization)) return undefined;
  const session = sessionOf(authorization);
  const isRead = session === undefined || session === sid;
  const [client, user, end] = await allOf([
    sender && refersTo(authorization, sender) ? sender : findReferredClient(ctx, authorization),
    findUser(ctx, authorization.userName),
    isRead ? session && mark : endedSessions.get(session),
  ]);
  if (!client || !user || end) return undefined;
  // The name may have been reassigned, and its user disabled since.
  const isSame = user.subject === authorization.userSubject &&
    isOfCurrentEpoch(user, authorization);
  if (!isSame || !mayUse(user, client)) return undefined;
  // A demand ends what users allowed after a sign-in by password. A trusted issuer vouches for its.
  const { assertedBy } = authorization;
  if (assertedBy === undefined && !isSufficientFor(ctx, user, authorization)) {
    // A client that refreshes learns that it has ended, and so does the log.
    const concerned = { user: user.name, client: client.id, authorization: id };
    if (sender) ctx.emit({ type: "passkey.required", ...concerned });
    return undefined;
  }
  return { authorization, client, user };
}

/** What an issuer asserted ends when the operator no longer trusts it, or not for that client. */
function isStillAsserted({ settings }: Context, { assertedBy, clientId }: Authorization): boolean {
  if (assertedBy === undefined) return true;
  return settings.assertingIssuers.get(assertedBy)?.includes(clientId) ?? false;
}

/**
 * Returns the session that an authorization ends with, if there is one. Offline access outlives it
 * (OpenID Connect Core, section 11).
 */
export function sessionOf({ scope, sid }: Authorization): string | undefined {
  return scope.includes("offline_access") ? undefined : sid;
}
