import { type AccessTokenClaims, exchangedBy, listAudiences } from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import { mayUse, type User } from "../../model/user.ts";
import type { Row } from "../../store/store.ts";
import { createBoundedMap, megabyte } from "../../util/values/bounded_map.ts";
import {
  type ActiveAuthorization,
  findActiveAuthorization,
  sessionOf,
} from "../authorizations/active_authorization.ts";
import { containsClientId, findReferredClient, isNamedAudience } from "../clients/clients.ts";
import { type Context, serverPart } from "../context.ts";
import { keyIdOf, verifyOwnJwt } from "../keys/own_jwt.ts";
import type { OpaqueToken, RefreshToken } from "../records/rows.ts";
import { toMilliseconds } from "../time.ts";
import { concernedBy, readTokenId, type TokenOrigin } from "./token_ids.ts";

/** An access token that was read before. */
interface VerifiedToken extends OpaqueToken {
  /** The key of a JWT, whose signature was verified. An opaque token is read again. */
  kid?: string | undefined;
}

/** By the token itself: an API presents the same token again and again. */
export const verifiedTokens = serverPart(() => createBoundedMap<VerifiedToken>(16 * megabyte));

/** A token that may be used now. */
export type ActiveToken = ActiveAccessToken | {
  kind: "refresh";
  client: Client;
  active: ActiveAuthorization;
  /** In milliseconds. */
  expiresAt: number;
};

export interface ActiveAccessToken {
  kind: "access";
  claims: AccessTokenClaims;
  origin: TokenOrigin;
  client: Client;
  /** None for the token of a client that acts for itself. */
  active: ActiveAuthorization | undefined;
}

/**
 * Finds a token if it is active. Introspection, userinfo and revocation share this one decision.
 */
export async function findActiveToken(
  ctx: Context,
  token: string,
): Promise<ActiveToken | undefined> {
  const seen = verifiedTokens(ctx).get(token);
  const reading = readAccessToken(ctx, token, seen);
  // What a token was issued from never changes: it is read together with an opaque one.
  const [read, presumed] = seen && seen.kid === undefined
    ? await Promise.all([reading, stateOf(ctx, seen)])
    : [await reading];
  if (read) {
    const state = seen?.claims.jti === read.claims.jti ? presumed : undefined;
    const found = await activeAccessToken(ctx, read, state ?? await stateOf(ctx, read));
    const sid = found?.active && sessionOf(found.active.authorization);
    const isKnown = seen?.claims.jti === read.claims.jti && seen.sid === sid;
    // The next time, all of its rows are known.
    if (found && !isKnown) verifiedTokens(ctx).set(token, { ...read, sid });
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
  const client = chain.length > 1 ? await findExchangingClient(ctx, claims, active?.user) : owner;
  return client?.id === claims.client_id
    ? { kind: "access", claims, origin, client, active }
    : undefined;
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

/**
 * Finds the client that obtained a token by an exchange. A token that was exchanged repeatedly ends
 * with any of the clients that exchanged it, and one that names none of them is not active.
 */
async function findExchangingClient(
  ctx: Context,
  claims: AccessTokenClaims,
  user: User | undefined,
): Promise<Client | undefined> {
  const clients = await Promise.all(
    exchangedBy(claims).map((reference) => findReferredClient(ctx, reference)),
  );
  const isUsable = (client: Client | undefined) => client && (!user || mayUse(user, client));
  return clients.every(isUsable) ? clients.at(-1) : undefined;
}

/**
 * Reads an unexpired access token of this server. Whether the token is still active,
 * `findActiveToken` decides.
 */
async function readAccessToken(
  ctx: Context,
  token: string,
  seen: VerifiedToken | undefined,
): Promise<VerifiedToken | undefined> {
  // Its key may have been retired since it was verified.
  const isVerified = seen?.kid !== undefined && ctx.keys.isListed(seen.kid);
  const read = isVerified ? seen : await readTokenOfAnyAge(ctx, token, seen);
  if (!read) return undefined;
  ctx.note(concernedBy(read.claims.jti));
  return isExpired(ctx, read.claims) ? undefined : read;
}

/** Reads a JWT, or an opaque token, which may look like a JWT if its value was chosen. */
async function readTokenOfAnyAge(
  ctx: Context,
  token: string,
  seen: VerifiedToken | undefined,
): Promise<VerifiedToken | undefined> {
  const read = token.includes(".") ? await readJwt(ctx, token, seen) : undefined;
  return read ?? (await ctx.records.opaqueTokens.getStored(token))?.value;
}

async function readJwt(
  ctx: Context,
  token: string,
  seen: VerifiedToken | undefined,
): Promise<VerifiedToken | undefined> {
  // Only saves the second verification of a token.
  if (seen?.kid !== undefined) return await ctx.keys.find(seen.kid) ? seen : undefined;
  const claims = await verifyOwnJwt(ctx, token, "access token", "any age") as
    | AccessTokenClaims
    | undefined;
  if (!claims) return undefined;
  const read = { claims, kid: keyIdOf(token) };
  if (!isExpired(ctx, claims)) verifiedTokens(ctx).set(token, read);
  return read;
}

function isExpired(ctx: Context, { exp }: AccessTokenClaims): boolean {
  return toMilliseconds(exp) <= ctx.now();
}
