import type { ServerEvent } from "../../../server/config/events.ts";
import { createIncomingRequest } from "../../../server/http/incoming_request.ts";
import type { RoleRequest } from "../../client_role/role_request.ts";
import {
  readWholeResponse,
  readWireRequest,
  type WireRequest,
  type WireResponse,
} from "../../recording/exchange.ts";
import { refusalOf } from "../../recording/refusal.ts";
import { createRequestScope } from "../../recording/request_scope.ts";
import type { DryRun } from "./dry_run.ts";
import type { EvaluatedRefusal } from "./evaluation.ts";

/** A request of a dry run with its response. No recorder knows it. */
export interface DryRunExchange {
  request: WireRequest;
  response: WireResponse;
  events: readonly ServerEvent[];
  refusal: EvaluatedRefusal | undefined;
}

/** Sends a request to the server of a dry run, which understands it as that of the lab would. */
export async function sendDryRun(
  { server, dialect }: Pick<DryRun, "server" | "dialect">,
  { method, url, headers, form }: RoleRequest,
): Promise<DryRunExchange> {
  const body = method === "POST" ? form.toString() : null;
  const { context } = server;
  const sent = createIncomingRequest(new Request(url, { method, headers, body }));
  const request = await readWireRequest(sent, new URL(url), context.settings);
  const incoming = createIncomingRequest(new Request(url, { method, headers, body }));
  const understood = await dialect?.toServer(context, incoming, request) ?? incoming;
  const { learned, observer } = createRequestScope({ flowUrl: () => undefined });
  const chooseCredential = dialect?.chooser(context);
  const original = await server.respond(understood, { ...observer, chooseCredential });
  const { read: response } = await readWholeResponse(original);
  const refusal = refusalOf(learned);
  return {
    request,
    response,
    events: learned.events,
    refusal: refusal && { ...refusal, at: `${method} ${request.path}` },
  };
}
