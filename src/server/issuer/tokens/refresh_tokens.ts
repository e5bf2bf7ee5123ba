import type { BoundKeys } from "../../model/access_token.ts";
import { type Client, isPublic, mayRefresh } from "../../model/client.ts";
import { day } from "../../util/time/duration.ts";
import { sessionOf } from "../authorizations/active_authorization.ts";
import { type Context, serverPart } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { Authorization, RefreshToken } from "../records/rows.ts";
import type { TableCall } from "../records/store_calls.ts";
import { fromNow } from "../time.ts";
import type { Entitlement } from "./entitlement.ts";

/** A token, and the call that stores its row, if it has one. It is not active before. */
export interface UnstoredToken {
  token: string;
  row?: TableCall<unknown>;
}

/** How often a process notes that a client refreshes, in milliseconds, and of how many it knows. */
const noteInterval = 1 * day * 1000;
const maxNoted = 10_000;

/** Makes a refresh token, if the client may have one and does not keep the one that it has. */
export async function makeRefreshToken(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
): Promise<UnstoredToken | undefined> {
  const { authorization, accessTokenOnly, presentedRefreshToken: presented } = entitlement;
  if (!authorization || accessTokenOnly || presented?.isKept) return undefined;
  if (!mayRefresh(client, ctx.settings)) return undefined;
  const expiresAt = expirationOf(ctx, authorization);
  const own: BoundKeys = isPublic(client) ? entitlement : {};
  // A binding outlives changes of the client: without it, a stolen successor would be worth more.
  const row: RefreshToken = {
    authorization: authorization.id,
    sid: sessionOf(authorization),
    jkt: presented?.row.jkt ?? own.jkt,
    certificateThumbprint: presented?.row.certificateThumbprint ?? own.certificateThumbprint,
  };
  const choose = ctx.hooks.chooseCredential;
  const chosen = choose && await choose("refresh_token", client.id, presented?.token);
  const token = chosen ??
    (presented ? await derivedSuccessor(ctx, presented.token) : randomSecret(ctx));
  const { put, add } = ctx.records.refreshTokens.calls;
  // The row exists already if the client lost the response and tries again. A chosen value that
  // another authorization has goes over to this one.
  const store = chosen === undefined || presented?.isRepeated ? add : put;
  return { token, row: store(token, row, expiresAt) };
}

/**
 * Returns the call that notes that a client uses its refresh tokens, from time to time: `hallpass
 * check` names those that use none.
 */
export function refreshNote(ctx: Context, clientId: string): Array<TableCall<void>> {
  const noted = notedClients(ctx);
  const now = ctx.now();
  if ((noted.get(clientId) ?? -Infinity) > now - noteInterval) return [];
  if (noted.size >= maxNoted) noted.clear();
  noted.set(clientId, now);
  const end = fromNow(ctx, ctx.settings.lifetimes.refreshToken) + 2 * noteInterval;
  return [ctx.records.refreshingClients.calls.put(clientId, null, end)];
}

/** When this process noted it, in milliseconds. */
const notedClients = serverPart(() => new Map<string, number>());

/**
 * Returns the call that restarts the idle time of a refresh token which the client keeps or gets
 * again. The authorization ends as before.
 */
export function extendedRefreshToken(
  ctx: Context,
  token: string,
  value: RefreshToken,
  authorization: Authorization,
): TableCall<void> {
  return ctx.records.refreshTokens.calls.put(token, value, expirationOf(ctx, authorization));
}

/**
 * Returns the successor of a used refresh token. It is derived, so that a client that lost the
 * response receives the same one again.
 */
export async function successorToken(
  ctx: Context,
  clientId: string,
  token: string,
): Promise<string> {
  return await ctx.hooks.chooseCredential?.("refresh_token", clientId, token) ??
    await derivedSuccessor(ctx, token);
}

function derivedSuccessor(ctx: Context, token: string): Promise<string> {
  return ctx.keys.derive("refresh-token", token);
}

function expirationOf(ctx: Context, authorization: Authorization): number {
  return Math.min(authorization.issuingUntil, fromNow(ctx, ctx.settings.lifetimes.refreshIdle));
}
