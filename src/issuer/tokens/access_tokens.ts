import { decodeJwt } from "jose";
import { type AccessTokenClaims, accessTokenType } from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import { formatScope } from "../../protocol/scope.ts";
import type { Context } from "../context.ts";
import { kidOf, signJwt, verifyOwnJwt } from "../keys/own_jwt.ts";
import { randomSecret } from "../random.ts";
import { instantOf, numericDate } from "../time.ts";
import type { AccessTokenProperties } from "./access_token_properties.ts";
import type { Entitlement } from "./entitlement.ts";
import { nextTokenId } from "./token_ids.ts";

/** Makes an access token: a JWT (RFC 9068), or a text that means something to this server alone. */
export async function issueAccessToken(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
  properties: AccessTokenProperties,
): Promise<string> {
  const claims = claimsOf(ctx, client, entitlement, properties);
  if (properties.format === "jwt") {
    return await signJwt(ctx, ctx.settings.alg, accessTokenType, claims);
  }
  const token = randomSecret(ctx);
  await ctx.records.opaqueTokens.put(token, { claims }, instantOf(claims.exp));
  return token;
}

/** What an access token of ours says, if its time has not run out. Whether it still stands is another question. */
export async function readAccessToken(
  ctx: Context,
  token: string,
): Promise<AccessTokenClaims | undefined> {
  if (!token.includes(".")) return (await ctx.records.opaqueTokens.find(token))?.claims;
  const known = ctx.verifiedTokens.get(token);
  if (known) {
    return instantOf(known.claims.exp) > ctx.now() && await ctx.keys.find(known.kid)
      ? known.claims
      : undefined;
  }
  const claims = await verifyOwnJwt(ctx, token, accessTokenType) as AccessTokenClaims | undefined;
  if (claims) ctx.verifiedTokens.set(token, { claims, kid: kidOf(token) });
  return claims;
}

function claimsOf(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
  properties: AccessTokenProperties,
): AccessTokenClaims {
  const { authorization, exchanged, jkt, authorizationDetails } = entitlement;
  const { audience, scope, lifetime } = properties;
  const iat = numericDate(ctx);
  return {
    iss: ctx.settings.issuer,
    sub: authorization?.subject ?? exchanged?.sub ?? client.id,
    aud: audience.length === 1 ? audience[0] : audience,
    client_id: client.id,
    scope: formatScope(scope),
    iat,
    exp: iat + lifetime,
    jti: nextTokenId(ctx, client, entitlement),
    ...authorization && { auth_time: authorization.authTime, acr: authorization.acr },
    ...jkt !== undefined && { cnf: { jkt } },
    ...exchanged?.act && { act: exchanged.act },
    ...authorizationDetails && { authorization_details: authorizationDetails },
  };
}

/** For whoever develops a client: when a token expired, as far as it says so itself. Nothing is decided by it. */
export function expiredTokenHint(ctx: Context, token: string): string | undefined {
  try {
    const { exp = Infinity } = decodeJwt(token);
    if (instantOf(exp) > ctx.now()) return undefined;
    return `It expired at ${new Date(instantOf(exp)).toISOString()}; the clock says ${
      new Date(ctx.now()).toISOString()
    }.`;
  } catch {
    return undefined;
  }
}
