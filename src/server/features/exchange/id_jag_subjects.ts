import {
  type ActiveAuthorization,
  findActiveAuthorization,
} from "../../issuer/authorizations/active_authorization.ts";
import type { Context } from "../../issuer/context.ts";
import { verifyOwnJwt } from "../../issuer/keys/own_jwt.ts";
import type { Authorization } from "../../issuer/records/rows.ts";
import { toMilliseconds } from "../../issuer/time.ts";
import { readTokenId } from "../../issuer/tokens/token_ids.ts";
import type { BoundKeys } from "../../model/access_token.ts";
import { type Client, mayRefresh } from "../../model/client.ts";
import type { IdJagSubject } from "./id_jag_request.ts";

/** The user of an active token of the client, when it ends, and the keys that it is bound to. */
export interface SignedInSubject extends BoundKeys {
  active: ActiveAuthorization;
  /** In milliseconds. */
  expiresAt: number;
}

/**
 * Finds the user for whom a client may get an ID-JAG. The token must be active and issued to this
 * client. An access token, an exchanged token or another ID-JAG is never found.
 */
export async function findIdJagSubject(
  ctx: Context,
  client: Client,
  { token, type }: IdJagSubject,
): Promise<SignedInSubject | undefined> {
  const found = type === "id_token"
    ? await findIdToken(ctx, client, token)
    : await findRefreshToken(ctx, client, token);
  return found?.active.client.id === client.id ? found : undefined;
}

/** Whether the session of an authorization is live: it was not ended, and is not too old. */
export async function isSessionLive(
  { settings: { lifetimes }, records, now }: Context,
  { sid, authTime }: Authorization,
): Promise<boolean> {
  if (sid === undefined || authTime === undefined) return false;
  if (toMilliseconds(authTime + lifetimes.session) <= now()) return false;
  return await records.endedSessions.get(sid) === undefined;
}

async function findIdToken(
  ctx: Context,
  client: Client,
  token: string,
): Promise<SignedInSubject | undefined> {
  const claims = await verifyOwnJwt(ctx, token, "id token");
  if (claims?.aud !== client.id || claims.jti === undefined || claims.exp === undefined) {
    return undefined;
  }
  const { authorizationId, chain } = readTokenId(claims.jti);
  if (authorizationId === undefined || chain.length > 1) return undefined;
  ctx.note({ authorization: authorizationId });
  const active = await findActiveAuthorization(ctx, { authorization: authorizationId });
  return active && { active, expiresAt: toMilliseconds(claims.exp) };
}

/** It is checked as the refresh token grant does, but not consumed. */
async function findRefreshToken(
  ctx: Context,
  client: Client,
  token: string,
): Promise<SignedInSubject | undefined> {
  if (!mayRefresh(client, ctx.settings)) return undefined;
  const row = await ctx.records.refreshTokens.get(token);
  if (!row || row.usedAt !== undefined) return undefined;
  const { authorization, jkt, certificateThumbprint } = row.value;
  ctx.note({ authorization });
  const active = await findActiveAuthorization(ctx, row.value);
  return active && { active, expiresAt: row.expiresAt, jkt, certificateThumbprint };
}
