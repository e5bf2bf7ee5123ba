import type { ServerEvent } from "../../../server/config/events.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { createIncomingRequest } from "../../../server/http/incoming_request.ts";
import type { Client } from "../../../server/model/client.ts";
import { type RequestPlan, type RoleRequest, roleRequest } from "../../client_role/role_request.ts";
import {
  readWholeResponse,
  readWireRequest,
  type WireRequest,
  type WireResponse,
} from "../../recording/exchange.ts";
import { refusalOf } from "../../recording/refusal.ts";
import { createRequestScope } from "../../recording/request_scope.ts";
import type { EvaluatedGrant, EvaluateOptions } from "./config.ts";
import type { DryRun } from "./dry_run.ts";
import type { EvaluatedRefusal } from "./evaluation.ts";

/** The client of a dry run, as the server knows it and as the lab acts for it. */
interface DryRunClient {
  known: Client;
  config: ClientConfig;
}

/** The flow of a dry run. */
export interface FlowPlan {
  dryRun: DryRun;
  client: DryRunClient;
  grant: EvaluatedGrant;
  options: EvaluateOptions;
}

/** Parameters of a request. */
export type FlowMembers = Array<[name: string, value: string]>;

/** A request of a dry run with its response. No recorder knows it. */
export interface DryRunExchange {
  request: WireRequest;
  response: WireResponse;
  events: readonly ServerEvent[];
  refusal: EvaluatedRefusal | undefined;
}

/** Returns the parameters that ask for access, the same in every request. */
export function accessMembers(
  { scope, resource = [], audience = [] }: EvaluateOptions,
): FlowMembers {
  return [
    ...scope === undefined ? [] : [["scope", scope]] as FlowMembers,
    ...[resource].flat().map((each): [string, string] => ["resource", each]),
    ...[audience].flat().map((each): [string, string] => ["audience", each]),
  ];
}

/** Whether the client binds its tokens to a key. */
export function usesDpop({ client: { known } }: FlowPlan): boolean {
  return known.dpop === "required";
}

/** Sends a request in the role of the client. */
export async function postAsClient(
  { dryRun, client: { config } }: FlowPlan,
  plan: RequestPlan,
): Promise<DryRunExchange> {
  return await sendDryRun(dryRun, await roleRequest(dryRun.server, config, plan));
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
