import type { CompleteAnswer, Grant, GrantResult, TokenRequest } from "../grants/grant.ts";
import { findGrant } from "../grants/grants.ts";
import { jsonResponse } from "../http/response.ts";
import type { ResponseData } from "../http/response_data.ts";
import { authenticateRequest } from "../issuer/clients/client_request.ts";
import { extendRegistration } from "../issuer/clients/registration_lifetime.ts";
import type { RequestContext } from "../issuer/context.ts";
import { checkClientDpop, nonceHeaders } from "../issuer/tokens/dpop.ts";
import type { Entitlement } from "../issuer/tokens/entitlement.ts";
import { issueTokens } from "../issuer/tokens/issue_tokens.ts";
import type { Client } from "../model/client.ts";
import { requiredProofIsPresent } from "../protocol/dpop_rules.ts";
import {
  grantTypeIsAllowed,
  grantTypeIsPresent,
  grantTypeIsSupported,
} from "../protocol/grant_rules.ts";
import { requirePresent, requireValue } from "../protocol/rule.ts";

/**
 * Issues tokens for a grant (OAuth 2.1, section 3.2). The grant is consumed last, and only then a
 * second use is refused. `.github/RULES.md` lists all that is checked, in order, with each error.
 */
export async function token(ctx: RequestContext): Promise<ResponseData> {
  const clientRequest = await authenticateRequest(ctx);
  const { client, parameters } = clientRequest;
  const grant = requireGrant(ctx, client, parameters.get("grant_type"));
  const jkt = await checkClientDpop(ctx, client, "token_endpoint");
  ctx.apply(requiredProofIsPresent, { jkt, client });
  const request = { ...clientRequest, jkt };
  const outcome = await grant.redeem(ctx, request);
  const { response, scope, authorization } = "response" in outcome
    ? outcome
    : await issue(ctx, request, outcome);
  ctx.emit({
    type: "token.issued",
    client: client.id,
    grantType: grant.type,
    scope,
    ...authorization && { authorization: authorization.id },
  });
  return jsonResponse(response, 200, await nonceHeaders(ctx));
}

/** What the token endpoint issued. */
type IssuedAnswer = Omit<CompleteAnswer, "authorization"> & Pick<Entitlement, "authorization">;

/** Issues what a grant allows, and then consumes the grant. */
async function issue(
  ctx: RequestContext,
  { client, secret: clientSecret, jkt }: TokenRequest,
  { entitlement, responseMembers, consume }: GrantResult,
): Promise<IssuedAnswer> {
  const response = await issueTokens(ctx, client, { ...entitlement, jkt, clientSecret });
  await extendRegistration(ctx, client);
  await consume?.(response);
  const { scope, authorization } = entitlement;
  return { response: { ...response, ...responseMembers }, scope, authorization };
}

/** Finds the requested grant, if this server supports it and the client may use it. */
function requireGrant(ctx: RequestContext, client: Client, requested: string | undefined): Grant {
  const { grantTypes } = ctx.settings;
  const type = requirePresent(ctx.apply, grantTypeIsPresent, requested);
  const supported = grantTypes.includes(type) ? findGrant(type) : undefined;
  const types = { requested: type, supported: grantTypes, allowed: client.grantTypes };
  const grant = requireValue(ctx.apply, grantTypeIsSupported, types, supported);
  ctx.note({ grantType: type });
  ctx.apply(grantTypeIsAllowed, types);
  return grant;
}
