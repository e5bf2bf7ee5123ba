import { jsonResponse } from "../http/response.ts";
import type { ResponseData } from "../http/response_data.ts";
import { authenticateRequest } from "../issuer/clients/client_request.ts";
import type { RequestContext } from "../issuer/context.ts";
import { chargeClientForStorage } from "../issuer/limits/stored_bytes.ts";
import { pushRequest } from "../issuer/requests/pushed_requests.ts";
import { resolveRequestToPush } from "../issuer/requests/resolve_request.ts";
import { checkClientDpop, nonceHeaders } from "../issuer/tokens/dpop.ts";
import type { Client } from "../model/client.ts";
import { dpop } from "../protocol/dpop_rules.ts";

/**
 * Stores an authorization request that a client sends itself, so that the browser carries only its
 * name (RFC 9126).
 */
export async function par(ctx: RequestContext): Promise<ResponseData> {
  const { client, parameters } = await authenticateRequest(ctx);
  const authorizationRequest = await resolveRequestToPush(ctx, client, parameters);
  const dpopJkt = await checkKey(ctx, client, authorizationRequest.dpopJkt);
  chargeClientForStorage(ctx, client, authorizationRequest);
  const lifetime = ctx.settings.lifetimes.pushedRequest;
  const requestUri = await pushRequest(ctx, { ...authorizationRequest, dpopJkt }, lifetime);
  ctx.emit({ type: "request.pushed", client: client.id });
  return jsonResponse(
    { request_uri: requestUri, expires_in: lifetime },
    201,
    await nonceHeaders(ctx),
  );
}

/**
 * A proof binds the code as `dpop_jkt` does, and must not contradict it (RFC 9449, section 10.1).
 */
async function checkKey(
  ctx: RequestContext,
  client: Client,
  requested: string | undefined,
): Promise<string | undefined> {
  const proven = await checkClientDpop(ctx, client, "pushed_authorization_request_endpoint");
  if (requested !== undefined && proven !== undefined) {
    ctx.apply(dpop.pushed_key, { came: requested, expected: proven });
  }
  return proven ?? requested;
}
