import { jsonResponse } from "../http/response.ts";
import { type ClientRequest, readClientRequest } from "../issuer/clients/client_request.ts";
import type { Context } from "../issuer/context.ts";
import { chargeClientForStorage } from "../issuer/limits/stored_bytes.ts";
import { pushRequest } from "../issuer/requests/pushed_requests.ts";
import { resolveRequestToPush } from "../issuer/requests/resolve_request.ts";
import { checkClientProof, nonceHeaders } from "../issuer/tokens/dpop.ts";
import { pushedKeyIsProven } from "../protocol/dpop_rules.ts";

/**
 * Stores an authorization request that a client sends itself, so that the browser carries only its
 * name (RFC 9126).
 */
export async function par(ctx: Context, request: Request): Promise<Response> {
  const clientRequest = await readClientRequest(ctx, request);
  const { client, parameters } = clientRequest;
  const authorizationRequest = await resolveRequestToPush(
    ctx,
    client,
    parameters,
    ctx.addressOf(request),
  );
  const dpopJkt = await readKey(ctx, clientRequest, authorizationRequest.dpopJkt);
  chargeClientForStorage(ctx, clientRequest, authorizationRequest);
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
async function readKey(
  ctx: Context,
  clientRequest: ClientRequest,
  requested: string | undefined,
): Promise<string | undefined> {
  const proven = await checkClientProof(
    ctx,
    clientRequest,
    "pushed_authorization_request_endpoint",
  );
  ctx.apply(pushedKeyIsProven, { requested, proven });
  return proven ?? requested;
}
