import { readText } from "../../http/body.ts";
import { textOf } from "../../http/response.ts";
import { isObject, parseJson } from "../../util/json.ts";
import { clientOf, isScheme } from "./credentials.ts";

/** What somebody asked of the server, as it came over the wire. */
export interface WireRequest {
  method: string;
  url: string;
  /** Below the issuer: "/oauth2/token". */
  path: string;
  headers: Record<string, string>;
  body: string;
  query: URLSearchParams;
  /** The parameters of a form body. */
  form: URLSearchParams;
  /** The client that the request itself names. */
  client?: string;
}

/** What the server answered. */
export interface WireResponse {
  status: number;
  headers: Array<[name: string, value: string]>;
  body: string;
}

/** A request with its answer. */
export interface Exchange {
  id: number;
  /** In milliseconds of the lab's clock. */
  at: number;
  request: WireRequest;
  /** None, where the connection broke or nothing ever came. */
  response?: WireResponse;
  /** Places in the order of everything that began and ended: two exchanges whose spans overlap ran side by side. */
  span: [began: number, ended: number];
  /** Whether a client sent a secret though it has none. */
  secretOfPublicClient: boolean;
  /** The names of the faults that shaped the answer. */
  faults: string[];
}

/** Reads a request; the server will read its body from where it was kept. One that cannot be read is refused by the server. */
export async function readWireRequest(
  request: Request,
  { pathname, searchParams }: URL,
  base: string,
): Promise<WireRequest> {
  const headers = Object.fromEntries(request.headers);
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const body = hasBody ? await readText(request).catch(() => "") : "";
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") ?? false;
  const form = new URLSearchParams(isForm ? body : "");
  const client = clientOf(headers.authorization, form, searchParams);
  return {
    method: request.method,
    url: request.url,
    path: belowIssuer(pathname, base),
    headers,
    body,
    query: searchParams,
    form,
    client,
  };
}

/** Reads an answer without using it up. */
export async function readWireResponse(response: Response): Promise<WireResponse> {
  const body = textOf(response) ?? (response.body === null ? "" : await response.clone().text());
  return { status: response.status, headers: [...response.headers], body };
}

export function headerOf({ headers }: WireResponse, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

/** The JSON object that an answer holds, if it holds one. */
export function jsonOf({ body }: WireResponse): Record<string, unknown> | undefined {
  const value = body.startsWith("{") ? parseJson(body) : undefined;
  return isObject(value) ? value : undefined;
}

/** The access token that a request presents. */
export function tokenOf({ headers, form }: WireRequest): string | undefined {
  const { authorization } = headers;
  if (authorization && (isScheme(authorization, "Bearer") || isScheme(authorization, "DPoP"))) {
    return authorization.split(/ +/)[1];
  }
  return form.get("access_token") ?? undefined;
}

/** A well-known document may stand before the path of its issuer. */
export function belowIssuer(pathname: string, base: string): string {
  if (base === "") return pathname;
  if (pathname.startsWith(`${base}/`)) return pathname.slice(base.length);
  return pathname.startsWith("/.well-known/") && pathname.endsWith(base)
    ? pathname.slice(0, -base.length)
    : pathname;
}
