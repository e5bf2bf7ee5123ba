import type { AccessRights } from "../../model/access_rights.ts";
import { type Client, mayRefresh } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { satisfiedAcr } from "../../protocol/acr.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { storeClientDocument } from "../clients/stored_documents.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import { joinedId, joinedPrefix, partsOf } from "../records/joined_id.ts";
import type { Authorization } from "../records/rows.ts";
import { afterSession, rememberClient } from "../sessions/session_clients.ts";
import type { SignedInUser } from "../sessions/sessions.ts";
import { after } from "../time.ts";
import { subjectFor } from "../users/subjects.ts";

/** Writes down what a person allowed a client. */
export async function createAuthorization(
  ctx: Context,
  client: Client,
  pending: PendingRequest,
  { session, user }: SignedInUser,
): Promise<Authorization> {
  const { lifetimes } = ctx.settings;
  const codeLifetime = pending.responseTarget ? lifetimes.code : lifetimes.deviceCode;
  return await storeAuthorization(ctx, client, {
    ...await partiesOf(ctx, client, user),
    sid: session.sid,
    scope: pending.scope,
    resources: pending.resources,
    authorizationDetails: pending.authorizationDetails,
    authTime: session.authTime,
    acr: satisfiedAcr(pending.acr, session.acr, ctx.settings.acrValues) ?? session.acr,
    amr: session.amr,
    claims: pending.claims,
    issuingUntil: after(ctx, mayRefresh(client) ? lifetimes.refreshToken : codeLifetime),
  });
}

/** Writes down what somebody else vouches for. Nobody signed in, and one access token is all that comes of it. */
export async function createAssertedAuthorization(
  ctx: Context,
  client: Client,
  user: User,
  access: AccessRights,
): Promise<Authorization> {
  return await storeAuthorization(ctx, client, {
    ...await partiesOf(ctx, client, user),
    ...access,
    issuingUntil: ctx.now(),
  });
}

async function partiesOf(ctx: Context, client: Client, user: User) {
  const subject = await subjectFor(ctx, client, user);
  return {
    id: randomId(ctx),
    clientId: client.id,
    clientEpoch: client.epoch,
    userName: user.name,
    userSubject: user.subject,
    userEpoch: user.epoch,
    subject,
  };
}

async function storeAuthorization(
  ctx: Context,
  client: Client,
  authorization: Authorization,
): Promise<Authorization> {
  const end = childrenEnd(ctx, authorization);
  await Promise.all([
    ctx.records.authorizations.put(authorization.id, authorization, end),
    ctx.records.userAuthorizations.put(
      userAuthorizationId(authorization),
      { since: ctx.now() },
      end,
    ),
    rememberClient(ctx, authorization),
    storeClientDocument(
      ctx,
      client,
      authorization.sid === undefined ? end : Math.max(end, afterSession(ctx)),
    ),
  ]);
  return authorization;
}

/** When the last token that can come of an authorization ends, in milliseconds. */
export function childrenEnd(ctx: Context, authorization: Authorization): number {
  return authorization.issuingUntil + ctx.settings.lifetimes.accessToken * 1000;
}

/** Revokes everything that was allowed to a client. */
export async function revokeAuthorizationsOfClient(
  ctx: Context,
  clientId: string,
  reason: string,
): Promise<void> {
  for await (const [, authorization] of ctx.records.authorizations.each()) {
    if (authorization.clientId === clientId) await revokeAuthorization(ctx, authorization, reason);
  }
}

/** Revokes everything that a user allowed before their present epoch began. */
export async function revokeAuthorizationsOfUser(
  ctx: Context,
  { name, subject, epoch }: User,
  reason: string,
): Promise<void> {
  for await (const [id] of ctx.records.userAuthorizations.each(joinedPrefix(subject))) {
    const authorization = await ctx.records.authorizations.find(partsOf(id)[2]);
    const isEarlier = epoch === undefined || authorization?.userEpoch !== epoch;
    if (authorization?.userName === name && isEarlier) {
      await revokeAuthorization(ctx, authorization, reason);
    }
  }
}

/** Takes an authorization back: everything that was issued from it, or is issued a moment later, is void at once. */
export async function revokeAuthorization(
  ctx: Context,
  authorization: Authorization,
  reason: string,
): Promise<void> {
  await ctx.records.authorizations.delete(authorization.id);
  await ctx.records.userAuthorizations.delete(userAuthorizationId(authorization));
  ctx.emit({
    type: "authorization.revoked",
    authorization: authorization.id,
    client: authorization.clientId,
    reason,
  });
}

function userAuthorizationId({ userSubject, clientId, id }: Authorization): string {
  return joinedId(userSubject, clientId, id);
}
