import { json } from "../http/answer.ts";
import { refuseProof } from "../protocol/dpop_proof.ts";
import { takePushedRequest } from "../issuer/requests/authorization_requests.ts";
import type { ClientRequest } from "../issuer/clients/client_request.ts";
import { readClientRequest } from "../issuer/clients/client_request.ts";
import type { Context } from "../issuer/context.ts";
import { checkProof, nonceHeaders } from "../issuer/tokens/dpop.ts";
import { pushRequest } from "../issuer/requests/pushed_requests.ts";
import { chargeClientForStorage } from "../issuer/limits/stored_bytes.ts";

/** Takes an authorization request from the client itself, so that the browser need only carry its name (RFC 9126). */
export async function par(ctx: Context, request: Request): Promise<Response> {
  const clientRequest = await readClientRequest(ctx, request);
  const { client, parameters } = clientRequest;
  const asked = await takePushedRequest(ctx, client, parameters, ctx.senderOf(request));
  const dpopJkt = await readKey(ctx, clientRequest, asked.dpopJkt);
  chargeClientForStorage(ctx, clientRequest, asked);
  const lifetime = ctx.settings.lifetimes.pushedRequest;
  const requestUri = await pushRequest(ctx, { ...asked, dpopJkt }, lifetime);
  ctx.emit({ type: "request.pushed", client: client.id });
  return json({ request_uri: requestUri, expires_in: lifetime }, 201, await nonceHeaders(ctx));
}

/** A proof binds the code as `dpop_jkt` does, and must not contradict it (RFC 9449, section 10.1). */
async function readKey(ctx: Context, { request }: ClientRequest, named: string | undefined): Promise<string | undefined> {
  const shown = await checkProof(ctx, request, "pushed_authorization_request_endpoint");
  if (shown === undefined || named === undefined || shown === named) return shown ?? named;
  throw refuseProof("The dpop_jkt of the request is not the key of the proof.");
}
