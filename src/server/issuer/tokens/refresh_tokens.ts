import { type Client, isPublic, mayRefresh } from "../../model/client.ts";
import type { Context } from "../context.ts";
import { randomSecret } from "../random.ts";
import type { Authorization, RefreshToken } from "../records/rows.ts";
import { fromNow, lastTokenExpiration, secondsUntil } from "../time.ts";
import type { Entitlement } from "./entitlement.ts";

/**
 * The ways in which a refresh token can expire (draft-ietf-oauth-refresh-token-expiration-03,
 * section 8).
 */
export const refreshExpirationTypes = ["authorization", "token_timeout"] as const;

/** When a refresh token expires, in seconds from now, as the response contains it. */
export interface RefreshExpiration {
  /** How long the refresh token may stay unused. */
  refresh_token_timeout: number;
  /** How long until the last token expires that the authorization can yield. */
  authorization_expires_in: number;
}

/** A refresh token, and when it expires. */
export interface IssuedRefreshToken {
  /** Absent if the client keeps the token that it has. */
  token?: string;
  expiration: RefreshExpiration;
}

/** Issues a refresh token, if the client may have one. */
export async function issueRefreshToken(
  ctx: Context,
  client: Client,
  { authorization, presentedRefreshToken: presented, jkt }: Entitlement,
): Promise<IssuedRefreshToken | undefined> {
  if (!authorization || !mayRefresh(client, ctx.settings)) return undefined;
  const expiresAt = expirationOf(ctx, authorization);
  if (presented?.isKept) return { expiration: refreshExpiration(ctx, authorization, expiresAt) };
  const row = { authorization: authorization.id, jkt: isPublic(client) ? jkt : undefined };
  const chosen = await ctx.chooseCredential?.("refresh_token", client.id, presented?.token);
  if (chosen !== undefined && !presented?.isRepeated) {
    // A value that another authorization has goes over to this one.
    await ctx.records.refreshTokens.put(chosen, row, expiresAt);
    return { token: chosen, expiration: refreshExpiration(ctx, authorization, expiresAt) };
  }
  const token = presented
    ? chosen ?? await derivedSuccessor(ctx, presented.token)
    : randomSecret(ctx);
  // The row exists already if the client lost the response and tries again.
  const existing = await ctx.records.refreshTokens.add(token, row, expiresAt)
    ? undefined
    : await ctx.records.refreshTokens.get(token);
  const expiration = refreshExpiration(ctx, authorization, existing?.expiresAt ?? expiresAt);
  return { token, expiration };
}

/**
 * Restarts the idle time of a refresh token that the client keeps or gets again. The authorization
 * ends as before.
 */
export async function extendRefreshToken(
  ctx: Context,
  token: string,
  value: RefreshToken,
  authorization: Authorization,
): Promise<void> {
  await ctx.records.refreshTokens.put(token, value, expirationOf(ctx, authorization));
}

/**
 * Whether a client keeps its refresh token after using it. Those of a public client are rotated, or
 * bound to a key (OAuth 2.1, section 4.3.1).
 */
export function keepsRefreshToken(ctx: Context, client: Client, { jkt }: RefreshToken): boolean {
  return ctx.settings.refreshTokens === "keep" && (!isPublic(client) || jkt !== undefined);
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
  return await ctx.chooseCredential?.("refresh_token", clientId, token) ??
    await derivedSuccessor(ctx, token);
}

function derivedSuccessor(ctx: Context, token: string): Promise<string> {
  return ctx.derive("refresh-token", token);
}

/**
 * Returns when the client has to use the token, and when it has to ask its user again (the same
 * draft, sections 6.1 and 7).
 */
export function refreshExpiration(
  ctx: Context,
  authorization: Authorization,
  expiresAt: number,
): RefreshExpiration {
  return {
    refresh_token_timeout: secondsUntil(ctx, expiresAt),
    authorization_expires_in: secondsUntil(ctx, lastTokenExpiration(ctx, authorization)),
  };
}

function expirationOf(ctx: Context, authorization: Authorization): number {
  return Math.min(authorization.issuingUntil, fromNow(ctx, ctx.settings.lifetimes.refreshIdle));
}
