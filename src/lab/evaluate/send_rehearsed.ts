import type { ServerEvent } from "../../server/config/events.ts";
import { createIncomingRequest } from "../../server/http/incoming_request.ts";
import type { InternalServer } from "../../server/server.ts";
import type { RoleRequest } from "../client_role/role_request.ts";
import type { EvaluatedRefusal } from "../control/evaluation.ts";
import {
  readWireRequest,
  readWireResponse,
  type WireRequest,
  type WireResponse,
  withWholeBody,
} from "../recording/exchange.ts";
import { refusalOf } from "../recording/refusal.ts";
import { createRequestScope } from "../recording/request_scope.ts";

/** A request of a rehearsal with its response. No recorder knows it. */
export interface RehearsedExchange {
  request: WireRequest;
  response: WireResponse;
  events: readonly ServerEvent[];
  refusal: EvaluatedRefusal | undefined;
}

/** Sends a request to the server of a rehearsal. */
export async function sendRehearsed(
  server: InternalServer,
  { method, url, headers, form }: RoleRequest,
): Promise<RehearsedExchange> {
  const body = method === "POST" ? form.toString() : null;
  const incoming = createIncomingRequest(new Request(url, { method, headers, body }));
  const { learned, observer } = createRequestScope({ flowUrl: () => undefined });
  const response = await withWholeBody(await server.respond(incoming, observer));
  const sent = createIncomingRequest(new Request(url, { method, headers, body }));
  const request = await readWireRequest(sent, new URL(url), server.context.settings);
  const refusal = refusalOf(learned);
  return {
    request,
    response: readWireResponse(response),
    events: learned.events,
    refusal: refusal && { ...refusal, at: `${method} ${request.path}` },
  };
}
