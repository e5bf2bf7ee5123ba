import type { EndpointName } from "../../../server/config/paths_config.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { clientAuthentication, roleProblem } from "../../client_role/role_request.ts";
import type { PastLab } from "../../core/core_lab.ts";
import type { WireRequest } from "../../recording/exchange.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";
import { withHeader, withParameter } from "./edited_request.ts";

/** The endpoints at which clients authenticate. */
const endpoints: ReadonlyArray<EndpointName | undefined> = [
  "token",
  "par",
  "deviceAuthorization",
  "introspect",
  "revoke",
];
const ownParameters = ["client_id", "client_secret", "client_assertion_type", "client_assertion"];

/** Whether the client of a request authenticates there. */
export function authenticatesClient({ endpoint }: WireRequest): boolean {
  return endpoints.includes(endpoint);
}

/** Returns the ids of the clients that the lab can authenticate as. */
export function playableClients(clients: readonly ClientConfig[]): string[] {
  return clients.filter((client) => roleProblem(client) === undefined).map(({ id }) => id);
}

/** Where the clients of a lab are: now, or at an earlier time. */
export type PlayedClients = Pick<PastLab, "context" | "settings" | "clients">;

/** Returns a request that another client authenticates, or, with `null`, none. */
export async function asClient(
  source: PlayedClients,
  request: WireRequest,
  id: string | null,
): Promise<WireRequest> {
  if (!authenticatesClient(request)) {
    throw new LabError(`No client authenticates at ${request.path}: change its 'client_id'.`);
  }
  const bare = withoutAuthentication(request);
  if (id === null) return withParameter(bare, "client_id", request.client ? [request.client] : []);
  const { headers = {}, members = {} } = await clientAuthentication(
    source,
    requireClient(source, id),
  );
  const named = Object.entries(members).reduce(
    (draft, [name, value]) => withParameter(draft, name, [value]),
    bare,
  );
  return Object.entries(headers).reduce(
    (draft, [name, value]) => withHeader(draft, name, value),
    named,
  );
}

function withoutAuthentication(request: WireRequest): WireRequest {
  const bare = withHeader(request, "authorization", undefined);
  return ownParameters.reduce((draft, name) => withParameter(draft, name, []), bare);
}

function requireClient({ clients }: PlayedClients, id: string): ClientConfig {
  const client = clients.find((each) => each.id === id);
  if (!client) throw unknownName("client", id, clients.map((each) => each.id));
  const problem = roleProblem(client);
  if (problem !== undefined) throw new LabError(problem);
  return client;
}
