import { endpointAt } from "../../config/endpoint_paths.ts";
import type { ConcernedIds } from "../../config/event_request.ts";
import type { ServerEvent } from "../../config/events.ts";
import type { EndpointName } from "../../config/paths_config.ts";
import type { Settings } from "../../config/settings.ts";
import { readText } from "../../http/body.ts";
import { requestHeaders } from "../../http/header_list.ts";
import { responseHeaders, responseText } from "../../http/lazy_response.ts";
import { pathWithinIssuer } from "../../protocol/issuer_url.ts";
import type { AppliedRule } from "../../protocol/rule.ts";
import { isObject, parseJson } from "../../util/json.ts";
import { clientOf, isScheme } from "./credentials.ts";

/** A request as it came over the wire, read once. */
export interface WireRequest {
  method: string;
  url: string;
  /** The path below the issuer: "/oauth2/token". */
  path: string;
  /** The endpoint at that path. */
  endpoint?: EndpointName | undefined;
  headers: Record<string, string>;
  body: string;
  query: URLSearchParams;
  /** The parameters of a form body. */
  form: URLSearchParams;
  /** The client that the request names, whether or not that is true. */
  client?: string | undefined;
}

/** A response as it went over the wire. */
export interface WireResponse {
  status: number;
  headers: Array<[name: string, value: string]>;
  body: string;
}

/** A request with its response. */
export interface Exchange {
  id: number;
  /** When it ended, in milliseconds of the lab's clock. */
  at: number;
  request: WireRequest;
  /** Undefined if the connection was closed before the response was complete. */
  response?: WireResponse | undefined;
  /** Marks of the recorder: two exchanges whose spans overlap ran in parallel. */
  span: [startMark: number, endMark: number];
  /** The names of the faults that changed the response. */
  faults: string[];
  /** The events that the server emitted while it handled the request. */
  events: readonly ServerEvent[];
  /** The rules that the server applied to the request, in order. */
  rules: readonly AppliedRule[];
  /** What the request concerns, by the ids of the server. */
  concerns: ConcernedIds;
}

/** Reads a request. The server can still read its body, and rejects one that cannot be read. */
export async function readWireRequest(
  request: Request,
  { pathname, searchParams }: URL,
  { base, paths }: Pick<Settings, "base" | "paths">,
): Promise<WireRequest> {
  const path = pathWithinIssuer(pathname, base) ?? pathname;
  const headers = Object.fromEntries(requestHeaders(request));
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const body = hasBody ? await readText(request).catch(() => "") : "";
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") ?? false;
  const form = new URLSearchParams(isForm ? body : "");
  const client = clientOf(headers.authorization, form, searchParams);
  return {
    method: request.method,
    url: request.url,
    path,
    endpoint: endpointAt(paths, path),
    headers,
    body,
    query: searchParams,
    form,
    client,
  };
}

/** Reads a response without consuming its body. */
export async function readWireResponse(response: Response): Promise<WireResponse> {
  const body = responseText(response) ??
    (response.body === null ? "" : await response.clone().text());
  return { status: response.status, headers: responseHeaders(response), body };
}

/** Returns the value of a header. The case of its name does not matter. */
export function headerOf({ headers }: WireResponse, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

/** Returns the JSON object in the body of a response, or undefined. */
export function jsonOf({ body }: WireResponse): Record<string, unknown> | undefined {
  const value = body.startsWith("{") ? parseJson(body) : undefined;
  return isObject(value) ? value : undefined;
}

/** Returns the access token that a request presents. */
export function tokenOf({ headers, form }: WireRequest): string | undefined {
  const { authorization } = headers;
  if (authorization && (isScheme(authorization, "Bearer") || isScheme(authorization, "DPoP"))) {
    return authorization.split(/ +/)[1];
  }
  return form.get("access_token") ?? undefined;
}
