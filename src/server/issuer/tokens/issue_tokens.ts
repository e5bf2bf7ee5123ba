import type { AuthorizationDetail } from "../../model/access_token.ts";
import type { Client } from "../../model/client.ts";
import type { TokenScheme } from "../../protocol/oauth_error.ts";
import { resourceRules } from "../../protocol/resource.ts";
import { containsClientId } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { checkEncryptionOften } from "../keys/secrets_at_rest.ts";
import type { TableCall } from "../records/store_calls.ts";
import { accessTokenProperties, makeAccessToken } from "./access_tokens.ts";
import type { Entitlement } from "./entitlement.ts";
import { issueIdToken } from "./id_tokens.ts";
import { makeRefreshToken } from "./refresh_tokens.ts";

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
  await checkEncryptionOften(ctx);
  const { authorization, accessTokenOnly, authorizationDetails } = entitlement;
  const properties = accessTokenProperties(ctx, client, entitlement);
  const { unnamedAudience } = properties;
  // A client with this id may have registered since the resource was granted.
  const isClient = unnamedAudience.length > 0 && await containsClientId(ctx, unnamedAudience);
  ctx.apply(resourceRules.no_client, { isClient });
  // A client that acts for itself gets nothing but an access token.
  const getsOthers = authorization !== undefined && !accessTokenOnly;
  const refreshToken = getsOthers ? await makeRefreshToken(ctx, client, entitlement) : undefined;
  const { token: accessToken, row } = await makeAccessToken(ctx, client, entitlement, properties);
  const idToken = getsOthers
    ? await issueIdToken(ctx, client, entitlement, accessToken)
    : undefined;
  const response: TokenResponse = {
    access_token: accessToken,
    token_type: entitlement.jkt === undefined ? "Bearer" : "DPoP",
    expires_in: properties.lifetime,
    ...properties.scope.length > 0 && { scope: properties.scope.join(" ") },
    ...authorizationDetails && { authorization_details: authorizationDetails },
    ...refreshToken && { refresh_token: refreshToken.token },
    ...idToken && { id_token: idToken },
  };
  return { response, rows: [refreshToken?.row, row].filter((each) => each !== undefined) };
}
