import type { AccessRights } from "../../model/access_token.ts";
import { type Client, mayRefresh, referenceTo } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { satisfiedAcr } from "../../protocol/acr.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { featuresOf, type SignedInUser } from "../active_features.ts";
import { type Context, serverPart } from "../context.ts";
import { createLastingRow } from "../records/lasting_row.ts";
import { joinId } from "../records/row_id.ts";
import type { Authorization } from "../records/rows.ts";
import type { RowsToWrite, TableCall } from "../records/store_calls.ts";
import { fromNow, lastSessionExpiration, lastTokenExpiration, numericDate } from "../time.ts";
import { pairwiseRowCalls } from "../users/claim_rows.ts";
import { isOfCurrentEpoch, subjectFor } from "../users/users.ts";
import {
  authorizationsOfClient,
  authorizationsOfUser,
  leadingCall,
  newAuthorizationId,
} from "./authorization_rows.ts";

/** Who an authorization is between, and its own id. */
type AuthorizationParties = Pick<
  Authorization,
  "id" | "clientId" | "clientEpoch" | "userName" | "userSubject" | "userEpoch" | "subject"
>;

/** Makes what a user allowed a client, for `storeAuthorization`. */
export async function makeAuthorization(
  ctx: Context,
  client: Client,
  pending: PendingRequest,
  { session, user }: SignedInUser,
  codeLifetime: number = ctx.settings.lifetimes.code,
): Promise<Authorization> {
  return {
    ...await partiesOf(ctx, client, user),
    sid: session.sid,
    scope: pending.scope,
    resources: pending.resources,
    authorizationDetails: pending.authorizationDetails,
    authTime: session.authTime,
    acr: satisfiedAcr(pending.acr, session.acr, ctx.settings.acrValues) ?? session.acr,
    amr: session.amr,
    factor: session.factor,
    claims: pending.claims,
    issuingUntil: fromNow(
      ctx,
      mayRefresh(client, ctx.settings) ? ctx.settings.lifetimes.refreshToken : codeLifetime,
    ),
  };
}

/**
 * Stores what a trusted issuer asserted. No user signed in, and the authorization yields a single
 * access token.
 */
export async function createAssertedAuthorization(
  ctx: Context,
  client: Client,
  user: User,
  access: AccessRights,
  assertedBy?: string,
): Promise<Authorization> {
  const parties = await partiesOf(ctx, client, user);
  const authorization = { ...parties, ...access, assertedBy, issuingUntil: ctx.now() };
  await storeAuthorization(ctx, client, authorization);
  return authorization;
}

/**
 * Stores what an unknown credential is taken for. No user signed in, so the authorization belongs
 * to no session.
 */
export async function createPresumedAuthorization(
  ctx: Context,
  client: Client,
  user: User,
  access: AccessRights,
): Promise<Authorization> {
  const authorization = {
    ...await partiesOf(ctx, client, user),
    ...access,
    authTime: numericDate(ctx),
    issuingUntil: fromNow(ctx, ctx.settings.lifetimes.refreshToken),
  };
  await storeAuthorization(ctx, client, authorization);
  return authorization;
}

/**
 * Revokes every authorization of a client that has a new epoch, which ended them already. The store
 * can commit together what is revoked at once: a commit each would take minutes for 100,000.
 */
export async function revokeAuthorizationsOfClient(
  ctx: Context,
  clientId: string,
  reason: string,
): Promise<void> {
  for await (const page of authorizationsOfClient(ctx, clientId)) {
    await Promise.all(page.map((each) => revokeAuthorization(ctx, each, reason)));
  }
}

/** Revokes every authorization that a user gave before their current epoch began. */
export async function revokeAuthorizationsOfUser(
  ctx: Context,
  user: User,
  reason: string,
): Promise<void> {
  for await (const authorization of authorizationsOfUser(ctx, user.subject)) {
    if (authorization.userName !== user.name) continue;
    const isEarlier = user.epoch === undefined || !isOfCurrentEpoch(user, authorization);
    if (isEarlier) await revokeAuthorization(ctx, authorization, reason);
  }
}

/**
 * Revokes an authorization. Everything that was issued from it, or is issued a moment later, stops
 * working at once.
 */
export async function revokeAuthorization(
  ctx: Context,
  authorization: Authorization,
  reason: string,
): Promise<void> {
  await ctx.records.authorizations.delete(authorization.id);
  ctx.emit({
    type: "authorization.revoked",
    authorization: authorization.id,
    client: authorization.clientId,
    reason,
  });
}

async function partiesOf(ctx: Context, client: Client, user: User): Promise<AuthorizationParties> {
  const subject = await subjectFor(ctx, client, user);
  return {
    id: await newAuthorizationId(ctx, client.id, user.subject),
    ...referenceTo(client),
    userName: user.name,
    userSubject: user.subject,
    userEpoch: user.epoch,
    subject,
  };
}

/** Stores an authorization with further rows. Returns the result of `last`; true without it. */
export async function storeAuthorization(
  ctx: Context,
  client: Client,
  authorization: Authorization,
  { rows: others = [], last }: Partial<RowsToWrite> = {},
): Promise<boolean> {
  ctx.note({ authorization: authorization.id });
  const end = lastTokenExpiration(ctx, authorization);
  const clientEnd = authorization.sid === undefined
    ? end
    : Math.max(end, lastSessionExpiration(ctx));
  const user = { name: authorization.userName, subject: authorization.userSubject };
  const rows = [
    ctx.records.authorizations.calls.put(authorization.id, authorization, end),
    ...await pairwiseRowCalls(ctx, user, authorization.subject),
    ...others,
    // At the end: these are often only read, and then together with `last`.
    await leadingCall(ctx, authorization, end),
    ...await sessionClientRow(ctx, authorization),
  ];
  const [isValid] = await Promise.all([
    ctx.records.write({ rows, last }),
    client.document && featuresOf(ctx).documentClients?.keep(ctx, client, clientEnd),
  ]);
  return isValid;
}

/**
 * Remembers that a client learns of a session, so that it can be notified when the session ends.
 */
async function sessionClientRow(
  ctx: Context,
  { sid, clientId, subject, scope }: Authorization,
): Promise<Array<TableCall<unknown>>> {
  if (sid === undefined || !scope.includes("openid")) return [];
  return [await sessionClient(ctx)(joinId(sid, clientId), { subject }, lastSessionExpiration(ctx))];
}

const sessionClient = serverPart((ctx) =>
  createLastingRow(
    ctx.records.sessionClients,
    (stored, { subject }) => stored.subject === subject,
  )
);
