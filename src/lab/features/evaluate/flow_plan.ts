import type { ClientConfig } from "../../../server/features.ts";
import type { Client } from "../../../server/model/client.ts";
import { type RequestPlan, roleRequest } from "../../client_role/role_request.ts";
import type { EvaluatedGrant, EvaluateOptions } from "./config.ts";
import type { DryRun } from "./dry_run.ts";
import { type DryRunExchange, sendDryRun } from "./send_dry_run.ts";

/** The client of a dry run, as the server knows it and as the lab acts for it. */
export interface DryRunClient {
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
