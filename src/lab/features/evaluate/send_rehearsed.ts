import type { ServerEvent } from "../../../server/config/events.ts";
import { createIncomingRequest } from "../../../server/http/incoming_request.ts";
import type { RoleRequest } from "../../client_role/role_request.ts";
import {
  readWireRequest,
  readWireResponse,
  type WireRequest,
  type WireResponse,
  withWholeBody,
} from "../../recording/exchange.ts";
import { refusalOf } from "../../recording/refusal.ts";
import { createRequestScope } from "../../recording/request_scope.ts";
import type { EvaluatedRefusal } from "./evaluation.ts";
import type { Rehearsal } from "./rehearsal.ts";

/** A request of a rehearsal with its response. No recorder knows it. */
export interface RehearsedExchange {
  request: WireRequest;
  response: WireResponse;
  events: readonly ServerEvent[];
  refusal: EvaluatedRefusal | undefined;
}

/** Sends a request to the server of a rehearsal, which understands it as that of the lab would. */
export async function sendRehearsed(
  { server, dialect }: Pick<Rehearsal, "server" | "dialect">,
  { method, url, headers, form }: RoleRequest,
): Promise<RehearsedExchange> {
  const body = method === "POST" ? form.toString() : null;
  const { context } = server;
  const sent = createIncomingRequest(new Request(url, { method, headers, body }));
  const request = await readWireRequest(sent, new URL(url), context.settings);
  const incoming = createIncomingRequest(new Request(url, { method, headers, body }));
  const understood = await dialect?.toServer(context, incoming, request) ?? incoming;
  const { learned, observer } = createRequestScope({ flowUrl: () => undefined });
  const chooseCredential = dialect?.chooser(context);
  const original = await server.respond(understood, { ...observer, chooseCredential });
  const response = await withWholeBody(original);
  const refusal = refusalOf(learned);
  return {
    request,
    response: readWireResponse(response),
    events: learned.events,
    refusal: refusal && { ...refusal, at: `${method} ${request.path}` },
  };
}
