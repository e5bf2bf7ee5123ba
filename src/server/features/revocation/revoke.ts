import { jsonResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { revokeAuthorization } from "../../issuer/authorizations/authorizations.ts";
import { authenticateRequest } from "../../issuer/clients/authenticate_client.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { toMilliseconds } from "../../issuer/time.ts";
import {
  type ActiveToken,
  findActiveToken,
  findRotatedToken,
} from "../../issuer/tokens/active_tokens.ts";
import { requiresParameter } from "../../protocol/form_parameters.ts";
import { compared, requirePresent, ruleSet } from "../../protocol/rule.ts";

const about = {
  see: "RFC 7009, section 2.1",
  parameter: "token",
  error: "invalid_request",
} as const;

const revocationRules = ruleSet("revocation", about, {
  token: requiresParameter("token"),
  client: {
    ...compared,
    error: "invalid_grant",
    title: "The token must have been issued to the client that revokes it",
  },
});

/**
 * Revokes a token. An unknown one counts as revoked. Clients ignore the body (RFC 7009, section
 * 2.2), but some libraries parse it as JSON.
 */
export async function revoke(ctx: RequestContext): Promise<ResponseData> {
  const { client, parameters } = await authenticateRequest(ctx);
  const token = requirePresent(ctx.apply, revocationRules.token, parameters.get("token"));
  const activeToken = await findActiveToken(ctx, token) ?? await findRotatedToken(ctx, token);
  if (!activeToken) return jsonResponse({});
  ctx.apply(revocationRules.client, { received: client.id, expected: activeToken.client.id });
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
