import { type AccessTokenClaims, listAudiences } from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import type { Row } from "../../store/store.ts";
import {
  type ActiveAuthorization,
  findActiveAuthorization,
  sessionOf,
} from "../authorizations/active_authorization.ts";
import { containsClientId, isNamedAudience } from "../clients/client_audiences.ts";
import { findReferredClient } from "../clients/clients.ts";
import type { Context, VerifiedToken } from "../context.ts";
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
  const seen = ctx.verifiedTokens.get(token);
  const reading = readAccessToken(ctx, token, seen);
  // What a token was issued from never changes: it is read together with an opaque one.
  const [read, presumed] = seen && seen.kid === undefined
    ? await Promise.all([reading, stateOf(ctx, seen)])
    : [await reading];
  if (read) {
    const state = seen?.claims.jti === read.claims.jti ? presumed : undefined;
    const found = await activeAccessToken(ctx, read, state ?? await stateOf(ctx, read));
    if (found) rememberToken(ctx, token, seen, { read, active: found.active });
    return found;
  }
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

/** What may have ended a token. */
interface TokenState {
  origin: TokenOrigin;
  isRevoked: boolean;
  active: ActiveAuthorization | undefined;
}

/** A token is revoked together with any token that it was exchanged for. */
async function stateOf(ctx: Context, { claims, sid }: VerifiedToken): Promise<TokenState> {
  const origin = readTokenId(claims.jti);
  const { authorizationId: authorization, chain } = origin;
  const [active, ...revocations] = await Promise.all([
    authorization === undefined ? undefined : findActiveAuthorization(ctx, { authorization, sid }),
    ...chain.map((id) => ctx.records.revokedTokens.get(id)),
  ]);
  return { origin, isRevoked: revocations.some((row) => row !== undefined), active };
}

async function activeAccessToken(
  ctx: Context,
  { claims }: VerifiedToken,
  { origin, isRevoked, active }: TokenState,
): Promise<ActiveAccessToken | undefined> {
  if (isRevoked) return undefined;
  const unnamed = listAudiences(claims).filter((audience) => !isNamedAudience(ctx, audience));
  // An audience may have become the id of a client since the token was issued.
  if (unnamed.length > 0 && await containsClientId(ctx, unnamed)) return undefined;
  const { authorizationId, clientEpoch, chain } = origin;
  const owner = authorizationId === undefined
    ? await findReferredClient(ctx, { clientId: claims.sub, clientEpoch })
    : active?.client;
  if (!owner) return undefined;
  const client = chain.length > 1 ? await findExchangingClient(ctx, claims) : owner;
  return client?.id === claims.client_id
    ? { kind: "access", claims, origin, client, active }
    : undefined;
}

/** An API presents the same token again and again: the next time, all of its rows are known. */
function rememberToken(
  { verifiedTokens }: Context,
  token: string,
  seen: VerifiedToken | undefined,
  { read, active }: { read: VerifiedToken; active: ActiveAuthorization | undefined },
): void {
  const sid = active && sessionOf(active.authorization);
  const isKnown = seen && seen.claims.jti === read.claims.jti && seen.sid === sid;
  if (!isKnown) verifiedTokens.set(token, { ...read, sid });
}

async function activeRefreshToken(
  ctx: Context,
  row: Row<RefreshToken> | undefined,
): Promise<ActiveToken | undefined> {
  if (!row) return undefined;
  const active = await findActiveAuthorization(ctx, row.value);
  if (!active) return undefined;
  return { kind: "refresh", client: active.client, active, expiresAt: row.expiresAt };
}
