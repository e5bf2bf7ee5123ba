import type { AccessTokenClaims } from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import {
  type ActiveAuthorization,
  findActiveAuthorization,
} from "../authorizations/active_authorization.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { readAccessToken } from "./access_tokens.ts";
import { epochOf, isExchanged, lineOf, parentOf } from "./token_ids.ts";

/** A token that may be used now. A client that acts for itself has no authorization behind its access token. */
export type ActiveToken =
  | { kind: "access"; claims: AccessTokenClaims; client: Client; standing?: ActiveAuthorization }
  | { kind: "refresh"; client: Client; standing: ActiveAuthorization; expiresAt: number };

/** The one judgement on a token, which introspection, userinfo and revocation share. */
export async function findActiveToken(
  ctx: Context,
  token: string,
): Promise<ActiveToken | undefined> {
  const claims = await readAccessToken(ctx, token);
  return claims ? await activeAccessToken(ctx, claims) : await activeRefreshToken(ctx, token);
}

/** A refresh token that was replaced. It can no longer be used, but whoever revokes it means what came after it. */
export async function findRotatedToken(
  ctx: Context,
  token: string,
): Promise<ActiveToken | undefined> {
  const row = await ctx.records.refreshTokens.get(token);
  const active = row?.usedAt === undefined
    ? undefined
    : await findActiveAuthorization(ctx, row.value.authorization);
  return row && active &&
    { kind: "refresh", client: active.client, standing: active, expiresAt: row.expiresAt };
}

async function activeAccessToken(
  ctx: Context,
  claims: AccessTokenClaims,
): Promise<ActiveToken | undefined> {
  if (await isRevoked(ctx, claims.jti)) return undefined;
  const parent = parentOf(claims.jti);
  const active = parent === undefined ? undefined : await findActiveAuthorization(ctx, parent);
  // It was allowed to one client, and may have been exchanged by another one: both must still be there.
  const owner = parent === undefined ? await findOwner(ctx, claims) : active?.client;
  if (!owner) return undefined;
  if (!isExchanged(claims.jti)) {
    return owner.id === claims.client_id
      ? { kind: "access", claims, client: owner, standing: active }
      : undefined;
  }
  const client = await findClient(ctx, claims.client_id);
  return client && { kind: "access", claims, client, standing: active };
}

/** The client that got a token for itself, unless it was disabled since. */
async function findOwner(
  ctx: Context,
  { sub, jti }: AccessTokenClaims,
): Promise<Client | undefined> {
  const client = await findClient(ctx, sub);
  return client?.epoch === epochOf(jti) ? client : undefined;
}

/** A token falls with any that it was exchanged for. */
async function isRevoked(ctx: Context, jti: string): Promise<boolean> {
  const found = await Promise.all(lineOf(jti).map((each) => ctx.records.revokedTokens.get(each)));
  return found.some((row) => row !== undefined);
}

async function activeRefreshToken(ctx: Context, token: string): Promise<ActiveToken | undefined> {
  const row = await ctx.records.refreshTokens.get(token);
  if (!row || row.usedAt !== undefined) return undefined;
  const active = await findActiveAuthorization(ctx, row.value.authorization);
  return active &&
    { kind: "refresh", client: active.client, standing: active, expiresAt: row.expiresAt };
}
