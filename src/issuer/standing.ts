import type { JWTPayload } from "jose";
import type { Client } from "../protocol/client.ts";
import { findClient } from "./clients.ts";
import type { Context } from "./context.ts";
import type { Authorization } from "./rows.ts";
import { accessTokenType, authorizationOfToken } from "./tokens.ts";
import type { User } from "./rows.ts";
import { findUser } from "./users.ts";

/** An authorization that holds, with those who are party to it. */
export interface Standing {
  authorization: Authorization;
  client: Client;
  user: User;
}

/** A token that may be used now. */
export interface StandingToken {
  kind: "access" | "refresh";
  /** What it says; for a refresh token, what introspection may tell of it. */
  claims: JWTPayload;
  client: Client;
  /** Missing where a client acts for itself. */
  standing?: Standing;
}

/** Whether an authorization holds: not taken back, its client and its user still there, and nobody signed out of it. */
export async function findStanding(ctx: Context, id: string): Promise<Standing | undefined> {
  const authorization = (await ctx.records.authorizations.get(id))?.value;
  if (!authorization) return undefined;
  const [client, user, ended] = await Promise.all([
    findClient(ctx, authorization.clientId),
    findUser(ctx, authorization.userName),
    hasSignedOut(ctx, authorization),
  ]);
  return client && user && !ended ? { authorization, client, user } : undefined;
}

/** What was allowed "while you are away" outlives the session (OpenID Connect Core, section 11). */
async function hasSignedOut(ctx: Context, { scope, sid }: Authorization): Promise<boolean> {
  if (scope.includes("offline_access")) return false;
  return await ctx.records.endedSessions.get(sid) !== undefined;
}

/** The one judgement on a token that introspection, userinfo and revocation share. */
export async function findStandingToken(ctx: Context, token: string): Promise<StandingToken | undefined> {
  const claims = await readAccessToken(ctx, token);
  return claims ? await standingAccessToken(ctx, claims) : await standingRefreshToken(ctx, token);
}

async function readAccessToken(ctx: Context, token: string): Promise<JWTPayload | undefined> {
  if (token.includes(".")) return await ctx.keys.verify(token, accessTokenType);
  return (await ctx.records.opaqueTokens.get(token))?.value.claims;
}

async function standingAccessToken(ctx: Context, claims: JWTPayload): Promise<StandingToken | undefined> {
  const jti = String(claims.jti);
  if (await ctx.records.revokedTokens.get(jti)) return undefined;
  const parent = authorizationOfToken(jti);
  const standing = parent === undefined ? undefined : await findStanding(ctx, parent);
  const client = parent === undefined ? await findClient(ctx, String(claims.client_id)) : standing?.client;
  return client && { kind: "access", claims, client, standing };
}

async function standingRefreshToken(ctx: Context, token: string): Promise<StandingToken | undefined> {
  const entry = await ctx.records.refreshTokens.get(token);
  if (!entry || entry.usedAt !== undefined) return undefined;
  const standing = await findStanding(ctx, entry.value.authorization);
  if (!standing) return undefined;
  const { authorization, client } = standing;
  const claims: JWTPayload = {
    iss: ctx.config.issuer,
    sub: authorization.subject,
    client_id: client.id,
    scope: authorization.scope.join(" "),
    exp: Math.floor(entry.expiresAt / 1000),
  };
  return { kind: "refresh", claims, client, standing };
}
