import type { AccessTokenClaims } from "../../protocol/access_token.ts";
import type { Client } from "../../protocol/client.ts";
import type { Standing } from "../authorizations/standing.ts";
import { findStanding } from "../authorizations/standing.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { readAccessToken } from "./access_tokens.ts";
import { epochOf, isExchanged, lineOf, parentOf } from "./token_ids.ts";

/** A token that may be used now. A client that acts for itself has no authorization behind its access token. */
export type StandingToken =
  | { kind: "access"; claims: AccessTokenClaims; client: Client; standing?: Standing }
  | { kind: "refresh"; client: Client; standing: Standing; expiresAt: number };

/** The one judgement on a token, which introspection, userinfo and revocation share. */
export async function findStandingToken(ctx: Context, token: string): Promise<StandingToken | undefined> {
  const claims = await readAccessToken(ctx, token);
  return claims ? await standingAccessToken(ctx, claims) : await standingRefreshToken(ctx, token);
}

/** A refresh token that was replaced. It can no longer be used, but whoever revokes it means what came after it. */
export async function findRotatedToken(ctx: Context, token: string): Promise<StandingToken | undefined> {
  const row = await ctx.records.refreshTokens.get(token);
  const standing = row?.usedAt === undefined ? undefined : await findStanding(ctx, row.value.authorization);
  return row && standing && { kind: "refresh", client: standing.client, standing, expiresAt: row.expiresAt };
}

async function standingAccessToken(ctx: Context, claims: AccessTokenClaims): Promise<StandingToken | undefined> {
  if (await isRevoked(ctx, claims.jti)) return undefined;
  const parent = parentOf(claims.jti);
  const standing = parent === undefined ? undefined : await findStanding(ctx, parent);
  // It was allowed to one client, and may have been exchanged by another one: both must still be there.
  const owner = parent === undefined ? await findOwner(ctx, claims) : standing?.client;
  if (!owner) return undefined;
  if (!isExchanged(claims.jti)) return owner.id === claims.client_id ? { kind: "access", claims, client: owner, standing } : undefined;
  const client = await findClient(ctx, claims.client_id);
  return client && { kind: "access", claims, client, standing };
}

/** The client that got a token for itself, unless it was disabled since. */
async function findOwner(ctx: Context, { sub, jti }: AccessTokenClaims): Promise<Client | undefined> {
  const client = await findClient(ctx, sub);
  return client?.epoch === epochOf(jti) ? client : undefined;
}

/** A token falls with any that it was exchanged for. */
async function isRevoked(ctx: Context, jti: string): Promise<boolean> {
  const found = await Promise.all(lineOf(jti).map((each) => ctx.records.revokedTokens.get(each)));
  return found.some((row) => row !== undefined);
}

async function standingRefreshToken(ctx: Context, token: string): Promise<StandingToken | undefined> {
  const row = await ctx.records.refreshTokens.get(token);
  if (!row || row.usedAt !== undefined) return undefined;
  const standing = await findStanding(ctx, row.value.authorization);
  return standing && { kind: "refresh", client: standing.client, standing, expiresAt: row.expiresAt };
}
