import { createIncomingRequest, type IncomingRequest } from "../../server/http/incoming_request.ts";
import type { WireRequest } from "./exchange.ts";

/** Makes the request that the server gets in place of the one that came. */
export function changeRequest(
  { peer, certificates, method, signal }: IncomingRequest,
  { url, headers }: Pick<WireRequest, "url" | "headers">,
  body?: string,
): IncomingRequest {
  const { "content-length": _, ...others } = headers;
  const init = { method, headers: others, signal: signal(), ...body !== undefined && { body } };
  return createIncomingRequest(new Request(url, init), { peer, certificates });
}
