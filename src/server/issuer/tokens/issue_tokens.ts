import { CompactSign } from "jose";
import type { AuthorizationDetail } from "../../model/access_token.ts";
import type { Client, ClientSecret } from "../../model/client.ts";
import type { IdTokenAlgorithm } from "../../model/signing.ts";
import type { TokenScheme } from "../../protocol/oauth_error.ts";
import { resourceRules } from "../../protocol/resource.ts";
import { encodeUtf8 } from "../../util/bytes/encoding.ts";
import { leftHalf } from "../../util/crypto/hash.ts";
import { featuresOf } from "../active_features.ts";
import { containsClientId } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { signJwt } from "../keys/own_jwt.ts";
import { hmacKey } from "../keys/secrets_at_rest.ts";
import type { Authorization } from "../records/rows.ts";
import type { TableCall } from "../records/store_calls.ts";
import { numericDate } from "../time.ts";
import { sidFor } from "../users/users.ts";
import { accessTokenProperties, makeAccessToken } from "./access_tokens.ts";
import type { Entitlement } from "./entitlement.ts";
import { makeRefreshToken, refreshNote } from "./refresh_tokens.ts";
import { newTokenId } from "./token_ids.ts";
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
  const { unnamedAudience } = properties;
  // A client with this id may have registered since the resource was granted.
  const isClient = unnamedAudience.length > 0 && await containsClientId(ctx, unnamedAudience);
  ctx.apply(resourceRules.no_client, { isClient });
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
  const claims = {
    ...await tokenClaims(ctx, authorization.userName, query),
    iss: ctx.settings.issuer,
    sub: authorization.subject,
    aud: client.id,
    iat,
    exp: iat + ctx.settings.lifetimes.idToken,
    auth_time: authorization.authTime,
    acr: authorization.acr,
    amr: authorization.amr,
    sid: await sidOf(ctx, client, authorization),
    jti: newTokenId(ctx, client, { authorization }),
    at_hash: await leftHalf(accessToken, idTokenAlgOf(ctx, client)),
    nonce,
  };
  return await signForClient(ctx, client, { typ: "JWT", claims, secret });
}

/**
 * Returns the session for a client that takes part in logout (OpenID Connect Back-Channel Logout,
 * section 2.1).
 */
function sidOf(ctx: Context, client: Client, { sid }: Authorization): Promise<string> | undefined {
  // The settings of features are members of a client, too. One that is unset may be an empty list.
  const takesPart = featuresOf(ctx).sessionEnds.some(({ clientSetting }) => {
    const value: unknown = Reflect.get(client, clientSetting);
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  return sid !== undefined && takesPart ? sidFor(ctx, client, sid) : undefined;
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
export function idTokenAlgOf({ settings }: Context, client: Client): IdTokenAlgorithm {
  return client.idTokenAlg ?? settings.idTokenAlg;
}
