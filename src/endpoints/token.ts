import type { Grant } from "../grants/grant.ts";
import { findGrant } from "../grants/grants.ts";
import { jsonResponse } from "../http/response.ts";
import { type ClientRequest, readClientRequest } from "../issuer/clients/client_request.ts";
import { extendRegistration } from "../issuer/clients/registration.ts";
import type { Context } from "../issuer/context.ts";
import { checkClientProof, nonceHeaders } from "../issuer/tokens/dpop.ts";
import { issueTokens } from "../issuer/tokens/issue_tokens.ts";
import type { Client } from "../model/client.ts";
import { invalidDpopProof } from "../protocol/dpop_proof.ts";
import { requireParameter } from "../protocol/form_parameters.ts";
import { errorFactory } from "../protocol/oauth_error.ts";

const section = "OAuth 2.1, section 3.2";
/** The longest part of an unknown grant_type that a hint repeats, in characters. */
const maxShownType = 60;

const unsupportedGrantType = errorFactory("unsupported_grant_type", section);
const unauthorizedClient = errorFactory("unauthorized_client", section);

/** Issues tokens for a grant (OAuth 2.1, section 3.2). The grant is consumed last. */
export async function token(ctx: Context, request: Request): Promise<Response> {
  const clientRequest = await readClientRequest(ctx, request);
  const { client, parameters } = clientRequest;
  const grant = readGrant(ctx, client, requireParameter(parameters, "grant_type", section));
  const jkt = await readKey(ctx, clientRequest);
  const redeemed = await grant.redeem(ctx, { ...clientRequest, jkt });
  const { entitlement, responseMembers, consume } = redeemed;
  const response = await issueTokens(ctx, client, { ...entitlement, jkt });
  await extendRegistration(ctx, client);
  await consume?.();
  const { scope, authorization } = entitlement;
  ctx.emit({
    type: "token.issued",
    client: client.id,
    grantType: grant.type,
    scope,
    ...authorization && { authorization: authorization.id },
  });
  return jsonResponse({ ...response, ...responseMembers }, 200, await nonceHeaders(ctx));
}

/** Finds the requested grant, if this server supports it and the client may use it. */
function readGrant(ctx: Context, client: Client, type: string): Grant {
  const { grantTypes } = ctx.settings;
  const grant = findGrant(type);
  if (!grant || !grantTypes.includes(type)) {
    throw unsupportedGrantType(`The grant_type is one of: ${grantTypes.join(", ")}.`, {
      hint: `Received: '${type.slice(0, maxShownType)}'.`,
    });
  }
  ctx.note({ grantType: type });
  if (client.grantTypes.includes(type)) return grant;
  throw unauthorizedClient(`This client may not use the grant '${type}'.`);
}

/**
 * Returns the thumbprint of the key that the tokens will be bound to, if the client proves one (RFC
 * 9449, section 5).
 */
async function readKey(
  ctx: Context,
  clientRequest: ClientRequest,
): Promise<string | undefined> {
  const jkt = await checkClientProof(ctx, clientRequest, "token_endpoint");
  if (jkt !== undefined || clientRequest.client.dpop === "optional") return jkt;
  throw invalidDpopProof("The tokens of this client must be bound to a key; send a DPoP proof.");
}
