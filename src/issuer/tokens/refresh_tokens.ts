import { type Client, isPublic, mayRefresh } from "../../model/client.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { Authorization, RefreshToken } from "../records/rows.ts";
import { after } from "../time.ts";
import type { Entitlement } from "./entitlement.ts";
import { type RefreshExpiration, refreshExpiration } from "./refresh_expiration.ts";

/** A refresh token, new or kept, and how long it goes on. */
export interface IssuedRefreshToken {
  /** None, where the client keeps the one that it has. */
  token?: string;
  expiration: RefreshExpiration;
}

/** Makes a refresh token for a client that may have one. */
export async function issueRefreshToken(
  ctx: Context,
  client: Client,
  { authorization, refreshed, jkt }: Entitlement,
): Promise<IssuedRefreshToken | undefined> {
  if (!authorization || !mayRefresh(client)) return undefined;
  const end = endOf(ctx, authorization);
  if (refreshed?.keep) return { expiration: refreshExpiration(ctx, authorization, end) };
  const token = refreshed === undefined
    ? randomSecret(ctx)
    : await successorOf(ctx, refreshed.token);
  const row = { authorization: authorization.id, jkt: isPublic(client) ? jkt : undefined };
  // It is there already where the client's answer was lost, and it asks again.
  const before = await ctx.records.refreshTokens.add(token, row, end)
    ? undefined
    : await ctx.records.refreshTokens.get(token);
  return { token, expiration: refreshExpiration(ctx, authorization, before?.expiresAt ?? end) };
}

/** A kept token has been used, so that its idle time begins anew; its authorization ends when it would have. */
export async function extendRefreshToken(
  ctx: Context,
  token: string,
  value: RefreshToken,
  authorization: Authorization,
): Promise<void> {
  await ctx.records.refreshTokens.put(token, value, endOf(ctx, authorization));
}

function endOf(ctx: Context, authorization: Authorization): number {
  return Math.min(authorization.issuingUntil, after(ctx, ctx.settings.lifetimes.refreshIdle));
}

/**
 * Whether a refresh token goes on after it was used. Those of a public client are rotated, or bound to a key
 * (OAuth 2.1, section 4.3.1).
 */
export function keepsRefreshTokens(ctx: Context, client: Client, { jkt }: RefreshToken): boolean {
  return ctx.settings.refreshTokens === "keep" && (!isPublic(client) || jkt !== undefined);
}

/** The token that follows another one. It is derived, so that a client whose answer was lost can be given it again. */
export function successorOf(ctx: Context, token: string): Promise<string> {
  return ctx.derive("refresh-token", token);
}
