import { empty } from "../http/answer.ts";
import { readForm } from "../http/body.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import { refuseRepeats, required } from "../protocol/parameters.ts";
import { revokeAuthorization } from "../issuer/authorizations.ts";
import { authenticateClient } from "../issuer/clients.ts";
import type { Context } from "../issuer/context.ts";
import type { StandingToken } from "../issuer/standing.ts";
import { findStandingToken } from "../issuer/standing.ts";

/** Takes back a token. One that is unknown is as good as revoked (RFC 7009, section 2.2). */
export async function revoke(ctx: Context, request: Request): Promise<Response> {
  const parameters = await readForm(request);
  refuseRepeats(parameters);
  const client = await authenticateClient(ctx, request, parameters);
  const found = await findStandingToken(ctx, required(parameters, "token", "RFC 7009, section 2.1"));
  if (!found) return empty(200);
  if (found.client.id !== client.id) {
    throw new OAuthError("invalid_grant", "The token is another client's.", { see: "RFC 7009, section 2.1" });
  }
  await revokeToken(ctx, found);
  ctx.emit({ type: "token.revoked", client: client.id, kind: found.kind });
  return empty(200);
}

/** An access token dies alone; a refresh token takes with it all that came of the same authorization. */
async function revokeToken(ctx: Context, { kind, claims, standing }: StandingToken): Promise<void> {
  if (kind === "refresh") return await revokeAuthorization(ctx, standing!.authorization, "its refresh token was revoked");
  await ctx.records.revokedTokens.put(String(claims.jti), null, Number(claims.exp) * 1000);
}
