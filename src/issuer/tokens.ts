import type { JWTPayload } from "jose";
import { base64url } from "jose";
import type { Client } from "../protocol/client.ts";
import { sha256, sha512 } from "../protocol/digest.ts";
import { formatScope } from "../protocol/scope.ts";
import type { SigningAlgorithm } from "../protocol/signing.ts";
import { mayRefresh } from "./authorizations.ts";
import type { Context } from "./context.ts";
import { after, numericDate } from "./context.ts";
import { randomId, randomSecret } from "./random.ts";
import type { Authorization } from "./rows.ts";

/** What a grant decided may be issued. */
export interface Entitlement {
  subject: string;
  scope: string[];
  /** The resources the access token is for; none means the default one. */
  resources: string[];
  /** What a person allowed; a client that acts for itself needs nobody's leave. */
  authorization?: Authorization;
  nonce?: string;
  /** The refresh token that this one follows, where the grant spent one. */
  refreshToken?: string;
}

/** A successful answer of the token endpoint (OAuth 2.1, section 3.2.3). */
export interface TokenResponse {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  scope?: string;
  refresh_token?: string;
  id_token?: string;
}

/** Makes every token that an entitlement allows. */
export async function issueTokens(ctx: Context, client: Client, entitlement: Entitlement): Promise<TokenResponse> {
  // What must be stored comes first: a store that fails leaves nothing signed.
  const refreshToken = await issueRefreshToken(ctx, client, entitlement);
  const accessToken = await issueAccessToken(ctx, client, entitlement);
  const idToken = await issueIdToken(ctx, client, entitlement, accessToken);
  return {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: ctx.config.lifetimes.accessToken,
    ...entitlement.scope.length > 0 && { scope: formatScope(entitlement.scope) },
    ...refreshToken && { refresh_token: refreshToken },
    ...idToken && { id_token: idToken },
  };
}

/** A JWT (RFC 9068), or a text that says nothing to anybody but us. */
async function issueAccessToken(ctx: Context, client: Client, entitlement: Entitlement): Promise<string> {
  const { authorization, resources, scope, subject } = entitlement;
  const issuedAt = numericDate(ctx);
  const claims: JWTPayload = {
    iss: ctx.config.issuer,
    sub: subject,
    aud: audienceOf(ctx, resources),
    client_id: client.id,
    scope: formatScope(scope),
    iat: issuedAt,
    exp: issuedAt + ctx.config.lifetimes.accessToken,
    jti: tokenId(authorization?.id),
    ...authorization && { auth_time: authorization.authTime },
  };
  if (client.accessTokenFormat === "jwt") return await ctx.keys.sign(ctx.config.alg, accessTokenType, claims);
  const token = randomSecret();
  await ctx.records.opaqueTokens.put(token, { claims }, after(ctx, ctx.config.lifetimes.accessToken));
  return token;
}

/** The `typ` that keeps an access token from being taken for anything else (RFC 9068, section 2.1). */
export const accessTokenType = "at+jwt";

function audienceOf(ctx: Context, resources: readonly string[]): string | string[] {
  if (resources.length === 0) return ctx.config.defaultResource;
  return resources.length === 1 ? resources[0] : [...resources];
}

/** The id of a token names the authorization it came from, so that its validity can be looked up there. */
function tokenId(authorization: string | undefined): string {
  return authorization === undefined ? randomId() : `${authorization}.${randomId()}`;
}

/** The authorization that a token came from; nothing for a client's own. */
export function authorizationOfToken(jti: string): string | undefined {
  return jti.includes(".") ? jti.slice(0, jti.indexOf(".")) : undefined;
}

/** Who signed in, for the client's eyes (OpenID Connect Core, section 2). */
async function issueIdToken(ctx: Context, client: Client, entitlement: Entitlement, accessToken: string): Promise<string | undefined> {
  const { authorization, nonce, scope, subject } = entitlement;
  if (!authorization || !scope.includes("openid")) return undefined;
  const alg = client.idTokenAlg ?? ctx.config.alg;
  const issuedAt = numericDate(ctx);
  const claims: JWTPayload = {
    iss: ctx.config.issuer,
    sub: subject,
    aud: client.id,
    iat: issuedAt,
    exp: issuedAt + ctx.config.lifetimes.idToken,
    auth_time: authorization.authTime,
    sid: authorization.sid,
    at_hash: await leftHalfHash(accessToken, alg),
    ...nonce !== undefined && { nonce },
  };
  return await ctx.keys.sign(alg, "JWT", claims);
}

/** Ties an ID token to its access token, by the hash that its algorithm uses (OpenID Connect Core, section 3.1.3.6). */
async function leftHalfHash(text: string, alg: SigningAlgorithm): Promise<string> {
  const hash = alg === "EdDSA" ? await sha512(text) : base64url.decode(await sha256(text));
  return base64url.encode(hash.slice(0, hash.length / 2));
}

/** A first refresh token is random; a successor follows from the one that was spent, so that a repeated request can get it again. */
async function issueRefreshToken(ctx: Context, client: Client, entitlement: Entitlement): Promise<string | undefined> {
  const { authorization, refreshToken } = entitlement;
  if (!authorization || !mayRefresh(client)) return undefined;
  const token = refreshToken === undefined ? randomSecret() : await ctx.keys.derive(refreshToken);
  const end = Math.min(authorization.issuingUntil, after(ctx, ctx.config.lifetimes.refreshIdle));
  await ctx.records.refreshTokens.add(token, { authorization: authorization.id }, end);
  return token;
}
