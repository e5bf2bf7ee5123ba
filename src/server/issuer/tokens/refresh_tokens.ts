import { type Client, isPublic, mayRefresh } from "../../model/client.ts";
import { sessionOf } from "../authorizations/active_authorization.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { Authorization, RefreshToken } from "../records/rows.ts";
import type { TableCall } from "../records/store_calls.ts";
import { fromNow } from "../time.ts";
import type { UnstoredToken } from "./access_tokens.ts";
import type { Entitlement } from "./entitlement.ts";

/** Makes a refresh token, if the client may have one and does not keep the one that it has. */
export async function makeRefreshToken(
  ctx: Context,
  client: Client,
  { authorization, presentedRefreshToken: presented, jkt, certificateThumbprint }: Entitlement,
): Promise<UnstoredToken | undefined> {
  if (!authorization || !mayRefresh(client, ctx.settings) || presented?.isKept) return undefined;
  const expiresAt = expirationOf(ctx, authorization);
  const own = isPublic(client) ? { jkt, certificateThumbprint } : {};
  // A binding outlives changes of the client: without it, a stolen successor would be worth more.
  const row: RefreshToken = {
    authorization: authorization.id,
    sid: sessionOf(authorization),
    jkt: presented?.row.jkt ?? own.jkt,
    certificateThumbprint: presented?.row.certificateThumbprint ?? own.certificateThumbprint,
  };
  const chosen = ctx.hooks.chooseCredential &&
    await ctx.hooks.chooseCredential("refresh_token", client.id, presented?.token);
  if (chosen !== undefined && !presented?.isRepeated) {
    // A value that another authorization has goes over to this one.
    return { token: chosen, row: ctx.records.refreshTokens.calls.put(chosen, row, expiresAt) };
  }
  const token = presented
    ? chosen ?? await derivedSuccessor(ctx, presented.token)
    : randomSecret(ctx);
  // The row exists already if the client lost the response and tries again.
  return { token, row: ctx.records.refreshTokens.calls.add(token, row, expiresAt) };
}

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
 * Whether a client keeps its refresh token after using it. Those of a public client are rotated, or
 * bound to a key (OAuth 2.1, section 4.3.1).
 */
export function keepsRefreshToken(ctx: Context, client: Client, token: RefreshToken): boolean {
  return ctx.settings.refreshTokens === "keep" && (!isPublic(client) || isBound(token));
}

/** Whether a key protects a refresh token. */
export function isBound({ jkt, certificateThumbprint }: RefreshToken): boolean {
  return jkt !== undefined || certificateThumbprint !== undefined;
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
