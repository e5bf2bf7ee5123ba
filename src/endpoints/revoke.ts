import { jsonResponse } from "../http/response.ts";
import { revokeAuthorization } from "../issuer/authorizations/authorizations.ts";
import { readClientRequest } from "../issuer/clients/client_request.ts";
import type { Context } from "../issuer/context.ts";
import { toMilliseconds } from "../issuer/time.ts";
import {
  type ActiveToken,
  findActiveToken,
  findRotatedToken,
} from "../issuer/tokens/active_tokens.ts";
import { requireParameter } from "../protocol/form_parameters.ts";
import { errorFactory } from "../protocol/oauth_error.ts";

const section = "RFC 7009, section 2.1";
const invalidGrant = errorFactory("invalid_grant", section);

/**
 * Revokes a token. An unknown one counts as revoked. Clients ignore the body (RFC 7009, section
 * 2.2), but some libraries parse it as JSON.
 */
export async function revoke(ctx: Context, request: Request): Promise<Response> {
  const { client, parameters } = await readClientRequest(ctx, request);
  const token = requireParameter(parameters, "token", section);
  const activeToken = await findActiveToken(ctx, token) ?? await findRotatedToken(ctx, token);
  if (!activeToken) return jsonResponse({});
  if (activeToken.client.id !== client.id) {
    throw invalidGrant("The token belongs to another client.");
  }
  await revokeToken(ctx, activeToken);
  ctx.emit({ type: "token.revoked", client: client.id, kind: activeToken.kind });
  return jsonResponse({});
}

/** Revokes an access token alone, or a refresh token together with its authorization. */
async function revokeToken(ctx: Context, token: ActiveToken): Promise<void> {
  if (token.kind === "refresh") {
    const { authorization } = token.active;
    return await revokeAuthorization(ctx, authorization, "its refresh token was revoked");
  }
  await ctx.records.revokedTokens.put(token.claims.jti, null, toMilliseconds(token.claims.exp));
}
