import { jsonResponse } from "../http/response.ts";
import type { ResponseData } from "../http/response_data.ts";
import { revokeAuthorization } from "../issuer/authorizations/authorizations.ts";
import { authenticateRequest } from "../issuer/clients/client_request.ts";
import type { Context, RequestContext } from "../issuer/context.ts";
import { toMilliseconds } from "../issuer/time.ts";
import {
  type ActiveToken,
  findActiveToken,
  findRotatedToken,
} from "../issuer/tokens/active_tokens.ts";
import { presenceRule } from "../protocol/form_rules.ts";
import { requirePresent, type Rule } from "../protocol/rule.ts";

const about = { see: "RFC 7009, section 2.1", parameter: "token" } as const;

const tokenIsPresent = presenceRule({ ...about, at: "revocation" });

const tokenIsThisClients: Rule<{ owner: string; client: string }> = {
  ...about,
  id: "revocation.client",
  title: "The token was issued to this client",
  error: "invalid_grant",
  message: "The token belongs to another client.",
  advice: "Revoke the token as the client that it was issued to.",
  holds: ({ owner, client }) => owner === client,
  expected: ({ owner }) => `the client '${owner}'`,
  came: ({ client }) => `the client '${client}'`,
};

/**
 * Revokes a token. An unknown one counts as revoked. Clients ignore the body (RFC 7009, section
 * 2.2), but some libraries parse it as JSON.
 */
export async function revoke(ctx: RequestContext): Promise<ResponseData> {
  const { client, parameters } = await authenticateRequest(ctx);
  const token = requirePresent(ctx.apply, tokenIsPresent, parameters.get("token"));
  const activeToken = await findActiveToken(ctx, token) ?? await findRotatedToken(ctx, token);
  if (!activeToken) return jsonResponse({});
  ctx.apply(tokenIsThisClients, { owner: activeToken.client.id, client: client.id });
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
