import type { AccessTokenClaims } from "../protocol/access_token.ts";
import { accessTokenType } from "../protocol/access_token.ts";
import type { Client } from "../protocol/client.ts";
import { formatScope } from "../protocol/scope.ts";
import type { Context } from "./context.ts";
import type { Entitlement } from "./entitlement.ts";
import { signerOf, signJwt, verifyOwnJwt } from "./jwt.ts";
import { randomSecret } from "./random.ts";
import { instantOf, numericDate } from "./time.ts";
import { nextTokenId } from "./token_ids.ts";

/** Makes an access token: a JWT (RFC 9068), or a text that means something to this server alone. */
export async function issueAccessToken(ctx: Context, client: Client, entitlement: Entitlement): Promise<string> {
  const claims = claimsOf(ctx, client, entitlement);
  if (client.accessTokenFormat === "jwt") return await signJwt(ctx, ctx.settings.alg, accessTokenType, claims);
  const token = randomSecret(ctx);
  await ctx.records.opaqueTokens.put(token, { claims }, instantOf(claims.exp));
  return token;
}

/** What an access token of ours says, if its time has not run out. Whether it still stands is another question. */
export async function readAccessToken(ctx: Context, token: string): Promise<AccessTokenClaims | undefined> {
  if (!token.includes(".")) return (await ctx.records.opaqueTokens.find(token))?.claims;
  const known = ctx.verifiedTokens.get(token);
  if (known) return instantOf(known.exp) > ctx.now() && await signerOf(ctx, token) ? known : undefined;
  const claims = await verifyOwnJwt(ctx, token, accessTokenType) as AccessTokenClaims | undefined;
  if (claims) ctx.verifiedTokens.keep(token, claims);
  return claims;
}

/** How long the access token of an entitlement lives, in seconds. One that is given in exchange for another does not outlive it. */
export function lifetimeOf(ctx: Context, { exchanged }: Entitlement): number {
  const { accessToken } = ctx.settings.lifetimes;
  return exchanged ? Math.min(accessToken, exchanged.exp - numericDate(ctx)) : accessToken;
}

function claimsOf(ctx: Context, client: Client, entitlement: Entitlement): AccessTokenClaims {
  const { authorization, exchanged, resources, scope, jkt, act } = entitlement;
  const iat = numericDate(ctx);
  return {
    iss: ctx.settings.issuer,
    sub: authorization?.subject ?? exchanged?.sub ?? client.id,
    aud: audienceOf(ctx, resources, scope),
    client_id: client.id,
    scope: formatScope(scope),
    iat,
    exp: iat + lifetimeOf(ctx, entitlement),
    jti: nextTokenId(ctx, entitlement),
    ...authorization && { auth_time: authorization.authTime, acr: authorization.acr },
    ...jkt !== undefined && { cnf: { jkt } },
    ...act && { act },
  };
}

/** The resources that were asked for; by default the default one, and with `openid` the userinfo endpoint, which is the issuer's. */
function audienceOf({ settings }: Context, resources: readonly string[], scope: readonly string[]): string | string[] {
  const byDefault = scope.includes("openid") ? [settings.defaultResource, settings.issuer] : [settings.defaultResource];
  const audience = [...new Set(resources.length > 0 ? resources : byDefault)];
  return audience.length === 1 ? audience[0] : audience;
}
