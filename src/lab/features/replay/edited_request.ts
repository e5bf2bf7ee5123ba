import type { EndpointName } from "../../../server/config/paths_config.ts";
import type { ClientConfig } from "../../../server/features.ts";
import { clientAuthentication, roleProblem } from "../../client_role/role_request.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { formType, type WireRequest } from "../../recording/exchange.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";
import type { ReplayMethod } from "./replay_changes.ts";
import { areSame } from "./request_differences.ts";

/** The endpoints at which clients authenticate. */
const endpoints: ReadonlyArray<EndpointName | undefined> = [
  "token",
  "par",
  "deviceAuthorization",
  "backchannelAuthentication",
  "introspect",
  "revoke",
];
const ownParameters = ["client_id", "client_secret", "client_assertion_type", "client_assertion"];

/**
 * Returns a request with another method. Its parameters are in the query of a GET, and in the form
 * of a POST.
 *
 * @throws {LabError} The body of the request is not a form.
 */
export function withMethod(request: WireRequest, method: ReplayMethod): WireRequest {
  if (method === request.method) return request;
  if (request.body !== "" && request.form.size === 0) {
    throw new LabError("The body is not a form, so the method cannot change.");
  }
  const all = new URLSearchParams([...request.query, ...request.form]);
  const none = new URLSearchParams();
  if (method === "POST") {
    const posted = withHeader({ ...request, method }, "content-type", formType);
    return withForm(withQuery(posted, none), all);
  }
  const got = withHeader({ ...request, method, form: none, body: "" }, "content-type", undefined);
  return withQuery(got, all);
}

/** Returns a request in which a parameter has other values; with none, it is left out. */
export function withParameter(
  request: WireRequest,
  name: string,
  values: readonly string[],
): WireRequest {
  const isInForm = request.form.has(name) || !request.query.has(name) && takesForm(request);
  const query = withValues(request.query, name, isInForm ? [] : values);
  const form = withValues(request.form, name, isInForm ? values : []);
  return withForm(withQuery(request, query), form);
}

/** Returns a request in which a header has another value; without one, it is left out. */
export function withHeader(
  request: WireRequest,
  name: string,
  value: string | undefined,
): WireRequest {
  const { [name.toLowerCase()]: _, ...others } = request.headers;
  const headers = value === undefined ? others : { ...others, [name.toLowerCase()]: value };
  return { ...request, headers };
}

/**
 * Returns a request with another body.
 *
 * @throws {LabError} The request sends a form, or its method has no body.
 */
export function withBody(request: WireRequest, body: string): WireRequest {
  if (request.method === "GET" || request.method === "HEAD") {
    throw new LabError(`A ${request.method} request has no body.`);
  }
  if (takesForm(request)) {
    throw new LabError("The request sends a form: change its parameters, not its body.");
  }
  return { ...request, body };
}

/** Returns a request that another client authenticates, or, with `null`, none. */
export async function asClient(
  lab: CoreLab,
  request: WireRequest,
  id: string | null,
): Promise<WireRequest> {
  if (!authenticatesClient(request)) {
    throw new LabError(`No client authenticates at ${request.path}: change its 'client_id'.`);
  }
  const bare = withoutAuthentication(request);
  if (id === null) return withParameter(bare, "client_id", request.client ? [request.client] : []);
  const client = requireClient(lab, id);
  const { headers = {}, members = {} } = await clientAuthentication(lab, client);
  const named = Object.entries(members).reduce(
    (draft, [name, value]) => withParameter(draft, name, [value]),
    bare,
  );
  return Object.entries(headers).reduce(
    (draft, [name, value]) => withHeader(draft, name, value),
    named,
  );
}

export function authenticatesClient({ endpoint }: WireRequest): boolean {
  return endpoints.includes(endpoint);
}

/** Returns the ids of the clients that the lab can authenticate as. */
export function playableClients({ clients }: CoreLab): string[] {
  return clients.list().filter((client) => !roleProblem(client)).map(({ id }) => id);
}

function takesForm({ method, headers }: WireRequest): boolean {
  const type = headers["content-type"];
  return method === "POST" && (type === undefined || type.startsWith(formType));
}

/** The values take the place of the first that the parameter had. What did not change stays. */
function withValues(
  parameters: URLSearchParams,
  name: string,
  values: readonly string[],
): URLSearchParams {
  const pairs = [...parameters];
  if (areSame(parameters.getAll(name), values)) return parameters;
  const first = pairs.findIndex(([each]) => each === name);
  const others = pairs.filter(([each]) => each !== name);
  const at = first < 0 ? others.length : first;
  const added = values.map((value): [string, string] => [name, value]);
  return new URLSearchParams([...others.slice(0, at), ...added, ...others.slice(at)]);
}

/** A query that did not change keeps its spelling. */
function withQuery(request: WireRequest, query: URLSearchParams): WireRequest {
  if (query === request.query) return request;
  const [address = ""] = request.url.split("?", 1);
  return { ...request, query, url: query.size > 0 ? `${address}?${query}` : address };
}

/** A body that did not change keeps its spelling. */
function withForm(request: WireRequest, form: URLSearchParams): WireRequest {
  if (form === request.form) return request;
  const changed = { ...request, form, body: form.toString() };
  return changed.headers["content-type"] === undefined
    ? withHeader(changed, "content-type", formType)
    : changed;
}

function withoutAuthentication(request: WireRequest): WireRequest {
  const bare = withHeader(request, "authorization", undefined);
  return ownParameters.reduce((draft, name) => withParameter(draft, name, []), bare);
}

function requireClient(lab: CoreLab, id: string): ClientConfig {
  const clients = lab.clients.list();
  const client = clients.find((each) => each.id === id);
  if (!client) throw unknownName("client", id, clients.map((each) => each.id));
  const problem = roleProblem(client);
  if (problem !== undefined) throw new LabError(problem);
  return client;
}
