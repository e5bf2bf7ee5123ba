import { type AccessTokenClaims, listAudiences } from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import type { Row } from "../../store/store.ts";
import {
  type ActiveAuthorization,
  findActiveAuthorization,
} from "../authorizations/active_authorization.ts";
import { containsClientId } from "../clients/client_audiences.ts";
import { findReferredClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import type { RefreshToken } from "../records/rows.ts";
import { readAccessToken } from "./access_tokens.ts";
import { findExchangingClient } from "./exchanging_clients.ts";
import { readTokenId, type TokenOrigin } from "./token_ids.ts";

/** A token that may be used now. */
export type ActiveToken = ActiveAccessToken | ActiveRefreshToken;

/** An active access token. */
export interface ActiveAccessToken {
  kind: "access";
  claims: AccessTokenClaims;
  origin: TokenOrigin;
  client: Client;
  /** None for the token of a client that acts for itself. */
  active: ActiveAuthorization | undefined;
}

/** An active refresh token. */
export interface ActiveRefreshToken {
  kind: "refresh";
  client: Client;
  active: ActiveAuthorization;
  /** In milliseconds. */
  expiresAt: number;
}

/**
 * Finds a token if it is active. Introspection, userinfo and revocation share this one decision.
 */
export async function findActiveToken(
  ctx: Context,
  token: string,
): Promise<ActiveToken | undefined> {
  const claims = await readAccessToken(ctx, token);
  if (claims) return await activeAccessToken(ctx, claims);
  const row = await findRefreshRow(ctx, token);
  return row?.usedAt === undefined ? await activeRefreshToken(ctx, row) : undefined;
}

/**
 * Finds a refresh token that was rotated. It can no longer be used, but revoking it revokes its
 * successors.
 */
export async function findRotatedToken(
  ctx: Context,
  token: string,
): Promise<ActiveToken | undefined> {
  const row = await findRefreshRow(ctx, token);
  return row?.usedAt === undefined ? undefined : await activeRefreshToken(ctx, row);
}

async function findRefreshRow(ctx: Context, token: string): Promise<Row<RefreshToken> | undefined> {
  const row = await ctx.records.refreshTokens.get(token);
  if (row) ctx.note({ authorization: row.value.authorization });
  return row;
}

async function activeAccessToken(
  ctx: Context,
  claims: AccessTokenClaims,
): Promise<ActiveToken | undefined> {
  const origin = readTokenId(claims.jti);
  const { authorizationId: parentId, clientEpoch, chain } = origin;
  if (await isRevoked(ctx, chain)) return undefined;
  // An audience may have become the id of a client since the token was issued.
  if (await containsClientId(ctx, listAudiences(claims))) return undefined;
  const active = parentId === undefined ? undefined : await findActiveAuthorization(ctx, parentId);
  const owner = parentId === undefined
    ? await findReferredClient(ctx, { clientId: claims.sub, clientEpoch })
    : active?.client;
  if (!owner) return undefined;
  const client = chain.length > 1 ? await findExchangingClient(ctx, claims) : owner;
  if (client?.id !== claims.client_id) return undefined;
  return { kind: "access", claims, origin, client, active };
}

/** A token is revoked together with any token that it was exchanged for. */
async function isRevoked(
  { records: { revokedTokens } }: Context,
  chain: readonly string[],
): Promise<boolean> {
  const rows = await Promise.all(chain.map((id) => revokedTokens.get(id)));
  return rows.some((row) => row !== undefined);
}

async function activeRefreshToken(
  ctx: Context,
  row: Row<RefreshToken> | undefined,
): Promise<ActiveToken | undefined> {
  if (!row) return undefined;
  const active = await findActiveAuthorization(ctx, row.value.authorization);
  if (!active) return undefined;
  return { kind: "refresh", client: active.client, active, expiresAt: row.expiresAt };
}
