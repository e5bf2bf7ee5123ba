import type { EndpointName } from "../../server/config/paths_config.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { ownMember } from "../../server/util/values/members.ts";
import { basicPair, clientOf } from "../recording/credentials.ts";
import { formType, parseForm, type WireRequest } from "../recording/exchange.ts";
import type { ClientRequests } from "./request_settings.ts";

/** The endpoints whose requests come from clients, with a form as their body. */
const endpoints: ReadonlyArray<EndpointName | undefined> = [
  ...["token", "introspect", "revoke", "deviceAuthorization", "backchannelAuthentication"] as const,
];

/** What the form of a request depends on. */
export interface FormSource {
  endpoint: EndpointName | undefined;
  type: string | undefined;
  authorization: string | undefined;
  query: URLSearchParams;
  body: string;
}

/** Returns the form that a body is, or stands for; undefined if it is none. */
export function clientForm(
  source: FormSource,
  settings: ClientRequests = {},
): URLSearchParams | undefined {
  const isForm = source.type?.startsWith(formType) ?? false;
  if (!endpoints.includes(source.endpoint)) {
    return isForm ? parseForm(source.body) : undefined;
  }
  const form = isForm ? parseForm(source.body) : formInJson(source, settings);
  const given = isInQuery(source, settings) ? new URLSearchParams(source.query) : form;
  return given && completeForm(given, source, settings);
}

/** Whether the form of a request is in its query. */
export function isInQuery(
  { endpoint, query, body }: FormSource,
  { queryForm = false }: ClientRequests = {},
): boolean {
  return queryForm && body === "" && query.size > 0 && endpoints.includes(endpoint);
}

/** Returns a request with the parameters that its body stands for. */
export function withClientForm(asked: WireRequest, settings: ClientRequests): WireRequest {
  const request = settings.queryToken ? withHeaderToken(asked) : asked;
  const { endpoint, headers, body } = request;
  const { "content-type": type } = headers;
  const authorization = plainBasic(headers.authorization, settings);
  const query = completeQuery(request.query, endpoint, settings);
  const source = { endpoint, type, authorization, query, body };
  const form = clientForm(source, settings) ?? request.form;
  return { ...request, query, form, client: clientOf(authorization, form, query) };
}

/** Returns a request for what is about the user with its token in the header, not in the query. */
function withHeaderToken(request: WireRequest): WireRequest {
  const { endpoint, headers, query } = request;
  const token = query.get("access_token");
  if (endpoint !== "userinfo" || token === null || headers.authorization) return request;
  const others = new URLSearchParams(query);
  others.delete("access_token");
  return {
    ...request,
    query: others,
    headers: { ...headers, authorization: `Bearer ${token}` },
  };
}

/** Returns the Authorization header that the server reads. */
export function clientHeader(
  { endpoint, headers: { authorization } }: WireRequest,
  settings: ClientRequests = {},
): string | null {
  if (!endpoints.includes(endpoint)) return authorization ?? null;
  const header = plainBasic(authorization, settings);
  return idAlone(header, settings) === undefined ? header ?? null : null;
}

function plainBasic(
  authorization: string | undefined,
  { basicForms = [] }: ClientRequests,
): string | undefined {
  return basicForms.includes("colon")
    ? authorization?.replace(/^Basic: /i, "Basic ")
    : authorization;
}

/** Returns the id of a public client in HTTP Basic that has no secret. */
function idAlone(
  authorization: string | undefined,
  { basicForms = [] }: ClientRequests,
): string | undefined {
  const pair = basicForms.includes("id-alone") ? basicPair(authorization) : undefined;
  return pair?.secret ? undefined : pair?.id;
}

/** Returns the parameters of a URL as the server takes them. */
export function completeQuery(
  query: URLSearchParams,
  endpoint: FormSource["endpoint"],
  { responseType }: ClientRequests,
): URLSearchParams {
  const isComplete = endpoint !== "authorize" || !query.has("client_id") ||
    query.has("response_type") || query.has("request") || query.has("request_uri");
  if (responseType === undefined || isComplete) return query;
  return new URLSearchParams([...query, ["response_type", responseType]]);
}

function formInJson(
  { type = "", body }: FormSource,
  { json = false, camelCase = false }: ClientRequests,
): URLSearchParams | undefined {
  const members = json && /\bjson\b/i.test(type) ? parseJson(body) : undefined;
  if (!isObject(members)) return undefined;
  const given = Object.entries(members).filter(([, value]) => value !== null);
  const nameOf = (name: string) =>
    camelCase ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
  return new URLSearchParams(
    given.map(([name, value]): [string, string] => [nameOf(name), String(value)]),
  );
}

function completeForm(
  form: URLSearchParams,
  { endpoint, authorization }: FormSource,
  settings: ClientRequests,
): URLSearchParams {
  const { grantType, grantTypeSynonyms = {}, repeatedSecret = false } = settings;
  const publicId = idAlone(authorization, settings);
  if (publicId !== undefined && !form.has("client_id")) form.set("client_id", publicId);
  const synonym = ownMember(grantTypeSynonyms, form.get("grant_type") ?? "");
  if (synonym) {
    form.set("grant_type", synonym.grantType);
    for (const [name, known] of Object.entries(synonym.parameters ?? {})) {
      const value = form.get(name);
      if (value === null || form.has(known)) continue;
      form.set(known, value);
      form.delete(name);
    }
  }
  if (grantType !== undefined && endpoint === "token" && !form.has("grant_type")) {
    form.set("grant_type", grantType);
  }
  // The secret of the header proves nothing more in the body.
  const secret = repeatedSecret ? basicPair(authorization)?.secret : undefined;
  if (secret !== undefined && form.get("client_secret") === secret) form.delete("client_secret");
  return form;
}
