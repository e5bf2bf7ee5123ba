import { CompactSign } from "jose";
import {
  type AccessTokenClaims,
  type AccessTokenType,
  type AuthorizationDetail,
  exchangedByClaim,
} from "../../model/access_token.ts";
import { type Client, type ClientSecret, referenceTo } from "../../model/client.ts";
import type { IdTokenAlgorithm } from "../../model/signing.ts";
import { scopeForResources } from "../../protocol/access_request.ts";
import type { TokenScheme } from "../../protocol/oauth_error.ts";
import { findResources } from "../../protocol/resource.ts";
import { encodeUtf8 } from "../../util/bytes/encoding.ts";
import { leftHalf } from "../../util/crypto/hash.ts";
import { featuresOf } from "../active_features.ts";
import { sessionOf } from "../authorizations/active_authorization.ts";
import { checkNoClientId, isNamedAudience } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { signJwt } from "../keys/own_jwt.ts";
import { hmacKey } from "../keys/secrets_at_rest.ts";
import { randomSecret } from "../random.ts";
import type { TableCall } from "../records/store_calls.ts";
import { numericDate, toMilliseconds } from "../time.ts";
import { sidFor } from "../users/users.ts";
import type { Entitlement } from "./entitlement.ts";
import { makeRefreshToken, refreshNote, type UnstoredToken } from "./refresh_tokens.ts";
import { concernedBy, newTokenId } from "./token_ids.ts";
import { tokenClaims } from "./user_claims.ts";

/** A successful response of the token endpoint (OAuth 2.1, section 3.2.3). */
export interface TokenResponse {
  /** The access token. */
  access_token: string;
  /** How the access token is used: as a Bearer token, or with a DPoP proof. */
  token_type: TokenScheme;
  /** The lifetime of the access token, in seconds. */
  expires_in: number;
  /** The scope of the access token. Absent if authorization details define all access. */
  scope?: string;
  /** The authorization details that were granted (RFC 9396). */
  authorization_details?: AuthorizationDetail[];
  /** The refresh token, if the client may refresh. */
  refresh_token?: string;
  /** The ID token, if the scope has `openid`. */
  id_token?: string;
}

/** Issues every token that an entitlement allows. */
export async function issueTokens(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
): Promise<TokenResponse> {
  const { response, rows } = await makeTokens(ctx, client, entitlement);
  await ctx.records.batch(...rows);
  return response;
}

/** Makes every token that an entitlement allows. Until its row is stored, none of them is active. */
export async function makeTokens(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
): Promise<{ response: TokenResponse; rows: ReadonlyArray<TableCall<unknown>> }> {
  const properties = accessTokenProperties(ctx, client, entitlement);
  // A client with this id may have registered since the resource was granted.
  await checkNoClientId(ctx, properties.unnamedAudience);
  const refreshToken = await makeRefreshToken(ctx, client, entitlement);
  const { token: accessToken, row } = await makeAccessToken(ctx, client, entitlement, properties);
  const idToken = await issueIdToken(ctx, client, entitlement, accessToken);
  const { jkt, authorizationDetails } = entitlement;
  const response: TokenResponse = {
    access_token: accessToken,
    token_type: jkt === undefined ? "Bearer" : "DPoP",
    expires_in: properties.lifetime,
    ...properties.scope.length > 0 && { scope: properties.scope.join(" ") },
    ...authorizationDetails && { authorization_details: authorizationDetails },
    ...refreshToken && { refresh_token: refreshToken.token },
    ...idToken && { id_token: idToken },
  };
  const note = entitlement.presentedRefreshToken ? refreshNote(ctx, client.id) : [];
  const rows = [refreshToken?.row, row, ...note].filter((each) => each !== undefined);
  return { response, rows };
}

/** What an access token will be, after the settings of its resources were applied. */
interface AccessTokenProperties {
  audience: string[];
  /** The part of the audience that the configuration does not name. */
  unnamedAudience: string[];
  scope: string[];
  /** In seconds. */
  lifetime: number;
  format: "jwt" | "opaque";
  type: AccessTokenType;
}

/**
 * Computes the properties of an access token. By default it is for the default resource and, with
 * `openid`, for userinfo at the issuer. A resource can only restrict it: drop scopes that none of
 * them knows, shorten its life, or make it opaque.
 */
function accessTokenProperties(
  ctx: Context,
  client: Client,
  { resources: granted, scope, subjectToken }: Entitlement,
): AccessTokenProperties {
  const { settings } = ctx;
  const defaultAudience = scope.includes("openid")
    ? [settings.defaultResource, settings.issuer]
    : [settings.defaultResource];
  const audience = [...new Set(granted.length > 0 ? granted : defaultAudience)];
  const known = scopeForResources(ctx.apply, audience, scope, settings.resources);
  // A token does not outlive the token that it was exchanged for.
  const timeLeft = subjectToken ? subjectToken.exp - numericDate(ctx) : Infinity;
  let lifetime = Math.min(timeLeft, settings.lifetimes.accessToken);
  let format = client.accessTokenFormat;
  if (format === "jwt-for-resource") format = granted.length > 0 ? "jwt" : "opaque";
  let wanted: AccessTokenType | undefined;
  for (const resource of findResources(audience, settings.resources)) {
    if (resource.accessTokenFormat === "opaque") format = "opaque";
    lifetime = Math.min(lifetime, resource.accessTokenLifetime ?? Infinity);
    // If they want different types, it is the one that cannot be mistaken for another token's.
    if (wanted !== "at+jwt") wanted = resource.accessTokenType ?? wanted;
  }
  const unnamedAudience = granted.filter((uri) => !isNamedAudience(ctx, uri));
  // An audience that the configuration does not name could become the id of a client, to which an
  // access token of the type `JWT` would look like an ID token.
  const type = unnamedAudience.length > 0
    ? "at+jwt"
    : wanted ?? client.accessTokenType ?? settings.accessTokenType;
  return { audience, unnamedAudience, scope: known, lifetime, format, type };
}

/** Makes an access token: a JWT (RFC 9068), or a random text that only this server can read. */
async function makeAccessToken(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
  { audience: [audience = "", ...others], scope, lifetime, format, type }: AccessTokenProperties,
): Promise<UnstoredToken> {
  const { authorization, subjectToken, jkt, certificateThumbprint } = entitlement;
  const query = { target: "access_token", client, scope } as const;
  const ofUser = authorization &&
    await tokenClaims(ctx, authorization.userName, query, entitlement.user);
  const isBound = (jkt ?? certificateThumbprint) !== undefined;
  const iat = numericDate(ctx);
  const claims: AccessTokenClaims = {
    ...ofUser,
    iss: ctx.settings.issuer,
    sub: authorization?.subject ?? subjectToken?.sub ?? client.id,
    aud: others.length === 0 ? audience : [audience, ...others],
    client_id: client.id,
    scope: scope.join(" "),
    iat,
    exp: iat + lifetime,
    jti: newTokenId(ctx, client, entitlement),
    auth_time: authorization?.authTime,
    acr: authorization?.acr,
    cnf: isBound ? { jkt, "x5t#S256": certificateThumbprint } : undefined,
    act: entitlement.actor,
    exchanged_by: subjectToken &&
      exchangedByClaim([...subjectToken.exchangedBy, referenceTo(client)]),
    authorization_details: entitlement.authorizationDetails,
  };
  ctx.note(authorization ? { authorization: authorization.id } : concernedBy(claims.jti));
  const choose = ctx.hooks.chooseCredential;
  const chosen = choose && await choose("access_token", client.id);
  if (format === "jwt" && chosen === undefined) {
    return { token: await signJwt(ctx, ctx.settings.alg, type, claims) };
  }
  const token = chosen ?? randomSecret(ctx);
  const { calls } = ctx.records.opaqueTokens;
  const row = { claims, sid: authorization && sessionOf(authorization) };
  return { token, row: calls.put(token, row, toMilliseconds(claims.exp)) };
}

/** Issues an ID token, if the scope contains `openid` (OpenID Connect Core, section 2). */
export async function issueIdToken(
  ctx: Context,
  client: Client,
  entitlement: Entitlement,
  accessToken: string,
): Promise<string | undefined> {
  const { authorization, accessTokenOnly, nonce, scope, clientSecret: secret } = entitlement;
  if (!authorization || accessTokenOnly || !scope.includes("openid")) return undefined;
  const iat = numericDate(ctx);
  const requested = authorization.claims?.idToken;
  const query = { target: "id_token", client, scope, requested } as const;
  // Clients that take part in logout know the session (OpenID Connect Back-Channel Logout, section
  // 2.1). The settings of features are members of a client, too. An unset one may be an empty list.
  const takesPart = featuresOf(ctx).sessionEnds.some(({ clientSetting }) => {
    const value: unknown = Reflect.get(client, clientSetting);
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  const { sid } = authorization;
  const claims = {
    ...await tokenClaims(ctx, authorization.userName, query, entitlement.user),
    iss: ctx.settings.issuer,
    sub: authorization.subject,
    aud: client.id,
    iat,
    exp: iat + ctx.settings.lifetimes.idToken,
    auth_time: authorization.authTime,
    acr: authorization.acr,
    amr: authorization.amr,
    sid: sid !== undefined && takesPart ? await sidFor(ctx, client, sid) : undefined,
    jti: newTokenId(ctx, client, { authorization }),
    at_hash: await leftHalf(accessToken, idTokenAlgOf(ctx, client)),
    nonce,
  };
  return await signForClient(ctx, client, { typ: "JWT", claims, secret });
}

interface ClientToken {
  typ: string;
  claims: object;
  /** The secret that the client used: it may not know the other one yet. */
  secret?: ClientSecret | undefined;
}

/**
 * Signs a token for one client, with a key of the server or with a secret of the client, and puts
 * it into the envelope that the client demands.
 */
export async function signForClient(
  ctx: Context,
  client: Client,
  { typ, claims, secret = client.secrets[0] }: ClientToken,
): Promise<string> {
  const alg = idTokenAlgOf(ctx, client);
  const jwt = alg === "HS256"
    ? await signWithSecret(ctx, client, { typ, claims, secret })
    : await signJwt(ctx, alg, typ, claims);
  const { envelope } = featuresOf(ctx);
  // The settings of features are members of a client, too.
  if (!envelope || client[envelope.idTokenSetting as keyof Client] === undefined) return jwt;
  return await envelope.seal(ctx, client, "idToken", () => jwt) ?? jwt;
}

async function signWithSecret(
  ctx: Context,
  client: Client,
  { typ, claims, secret }: ClientToken,
): Promise<string> {
  const key = secret && await hmacKey(ctx, client.id, secret);
  if (!key) throw new Error(`The client '${client.id}' has no secret that can sign.`);
  return await new CompactSign(encodeUtf8(JSON.stringify(claims)))
    .setProtectedHeader({ alg: "HS256", typ })
    .sign(key);
}

/** Returns the algorithm of a client's ID tokens and logout tokens. */
function idTokenAlgOf({ settings }: Context, client: Client): IdTokenAlgorithm {
  return client.idTokenAlg ?? settings.idTokenAlg;
}
