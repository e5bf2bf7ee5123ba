import { json } from "../http/answer.ts";
import { readForm } from "../http/body.ts";
import { OAuthError } from "../protocol/oauth_error.ts";
import { refuseRepeats, required } from "../protocol/parameters.ts";
import { findGrant } from "../grants/grants.ts";
import { authenticateClient } from "../issuer/clients.ts";
import type { Context } from "../issuer/context.ts";
import { issueTokens } from "../issuer/tokens.ts";

const section = "OAuth 2.1, section 3.2";

/** Gives tokens for a grant (OAuth 2.1, section 3.2). */
export async function token(ctx: Context, request: Request): Promise<Response> {
  const parameters = await readForm(request);
  refuseRepeats(parameters);
  const grantType = required(parameters, "grant_type", section);
  const client = await authenticateClient(ctx, request, parameters);
  const grant = findGrant(grantType);
  if (!grant) throw new OAuthError("unsupported_grant_type", "This grant_type is not supported.", { see: section });
  if (!client.grantTypes.includes(grant.type)) {
    throw new OAuthError("unauthorized_client", `This client may not use the grant '${grant.type}'.`, { see: section });
  }
  const entitlement = await grant.redeem(ctx, { client, parameters });
  const response = await issueTokens(ctx, client, entitlement);
  const { scope, authorization } = entitlement;
  ctx.emit({ type: "token.issued", client: client.id, grantType, scope, authorization: authorization?.id });
  return json(response, 200, [["Pragma", "no-cache"]]);
}
