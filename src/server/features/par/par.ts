import { jsonResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { authenticateRequest } from "../../issuer/clients/authenticate_client.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { chargeClientForStorage } from "../../issuer/limits/budget.ts";
import { readRequestSource, readRequestWithHint } from "../../issuer/requests/resolve_request.ts";
import { storeRequest } from "../../issuer/requests/stored_requests.ts";
import { checkClientDpop, nonceHeaders } from "../../issuer/tokens/proof_of_possession.ts";
import type { Client } from "../../model/client.ts";
import { dpop } from "../../protocol/dpop_rules.ts";
import { checkDelivery } from "../../protocol/request_delivery.ts";
import { readResponseTarget } from "../../protocol/response_target.ts";
import { ruleSet } from "../../protocol/rule.ts";
import { parLifetimes } from "./config.ts";

const about = {
  see: "RFC 9126, section 2.1",
  parameter: "request_uri",
  error: "invalid_request",
} as const;

const parRules = ruleSet("par", about, {
  no_request_uri: {
    title: "A pushed request must not have the parameter 'request_uri'",
    fix: "Push the parameters instead of a request_uri.",
    holds: (requestUri: string | undefined) => requestUri === undefined,
  },
});

/**
 * Stores an authorization request that a client sends itself, so that the browser carries only its
 * name (RFC 9126).
 */
export async function par(ctx: RequestContext): Promise<ResponseData> {
  const { client, parameters } = await authenticateRequest(ctx);
  // All errors are returned to the client directly.
  ctx.apply(parRules.no_request_uri, parameters.get("request_uri"));
  const source = await readRequestSource(ctx, client, parameters);
  checkDelivery(ctx.apply, client, { signed: source.signed, pushed: true });
  const { vouchForRedirect } = ctx.hooks;
  const target = readResponseTarget(ctx.apply, source.parameters, client, vouchForRedirect);
  const authorizationRequest = await readRequestWithHint(ctx, client, source, target);
  const dpopJkt = await checkKey(ctx, client, authorizationRequest.dpopJkt);
  chargeClientForStorage(ctx, client, authorizationRequest);
  const lifetime = parLifetimes.of(ctx.settings.lifetimes).pushedRequest;
  const requestUri = await storeRequest(ctx, { ...authorizationRequest, dpopJkt }, lifetime);
  ctx.emit({ type: "request.pushed", client: client.id });
  const headers = ctx.settings.dpopNonces ? await nonceHeaders(ctx) : [];
  return jsonResponse({ request_uri: requestUri, expires_in: lifetime }, 201, headers);
}

/**
 * A proof binds the code as `dpop_jkt` does, and must not contradict it (RFC 9449, section 10.1).
 */
async function checkKey(
  ctx: RequestContext,
  client: Client,
  requested: string | undefined,
): Promise<string | undefined> {
  if (!ctx.request.headers.has("DPoP")) return requested;
  const proven = await checkClientDpop(ctx, client, "pushed_authorization_request_endpoint");
  if (requested !== undefined && proven !== undefined) {
    ctx.apply(dpop.pushed_key, { received: requested, expected: proven });
  }
  return proven;
}
