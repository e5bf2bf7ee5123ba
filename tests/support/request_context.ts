import { createIncomingRequest } from "../../src/server/http/incoming_request.ts";
import type { RequestContext } from "../../src/server/issuer/context.ts";
import type { InternalServer } from "../../src/server/server.ts";

/** Makes the context of a request to a server. */
export function contextIn(
  { issuer, contextOf }: InternalServer,
  headers: Record<string, string> = {},
): RequestContext {
  return contextOf(createIncomingRequest(new Request(issuer, { headers })));
}
