import { endpointAt } from "../../server/config/endpoint_paths.ts";
import type { ConcernedIds, ServerEvent } from "../../server/config/events.ts";
import type { EndpointName } from "../../server/config/paths_config.ts";
import type { Settings } from "../../server/config/settings.ts";
import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import {
  type HeaderList,
  isSameName,
  type ResponseData,
  toResponse,
} from "../../server/http/response_data.ts";
import { maxParameters } from "../../server/protocol/form_parameters.ts";
import { pathWithinIssuer } from "../../server/protocol/issuer_url.ts";
import { challengeRules } from "../../server/protocol/pkce.ts";
import { type AppliedRule, describeValue } from "../../server/protocol/rule.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { clientOf, isScheme } from "./credentials.ts";

/** A request as it came over the wire, read once. */
export interface WireRequest {
  method: string;
  url: string;
  /** The path below the issuer: "/oauth2/token". */
  path: string;
  endpoint?: EndpointName | undefined;
  headers: Record<string, string>;
  body: string;
  query: URLSearchParams;
  /** The parameters of a form body. */
  form: URLSearchParams;
  /** The client that the request names, whether or not that is true. */
  client?: string | undefined;
}

export const formType = "application/x-www-form-urlencoded";

/** The parameters with which a token request names what it redeems. */
export const redeemedParameters: readonly string[] = [
  "code",
  "refresh_token",
  "device_code",
  "auth_req_id",
  "subject_token",
  "assertion",
];

/** A text in a multipart form (RFC 7578). */
const formPart = /\bname="([^"]+)"\r?\n\r?\n([^\r\n]*)/g;

/** The statuses of responses without a body (RFC 9110, section 15). */
export const bodilessStatuses: readonly number[] = [204, 205, 304];

/** A response as it went over the wire. */
export interface WireResponse {
  status: number;
  /** As they are sent: `listHeaders` lists them as a client reads them. */
  headers: HeaderList;
  body: string;
}

/** A response whose connection breaks halfway. */
export const droppedResponse: WireResponse = {
  status: 200,
  headers: [["Content-Type", "application/json"]],
  body: '{"',
};

/** What the server reports of a request while it handles it. */
export interface ReportedFacts {
  events: readonly ServerEvent[];
  /** The rules that the server applied, in order. */
  rules: readonly AppliedRule[];
  /** What the request concerns, by the ids of the server. */
  concerns: ConcernedIds;
}

/** Whether the server accepted a nonce instead of PKCE: then all depends on the client's check. */
export function reliesOnNonce({ rules }: ReportedFacts): boolean {
  return rules.some(({ rule, passed }) => rule.id === challengeRules.or_nonce.id && passed);
}

/** What marks a request that the lab sent itself. */
export interface SentByLab {
  /**
   * Whether it is not part of the protocol: a route that the test added or the MCP server responded,
   * or no client sent it.
   */
  isBesideProtocol?: boolean;
  /** Whether a button on a page of the lab sent it, in the role of its client. */
  isOfPage?: boolean;
}

/** What the record knows of a request besides what came, what was reported and the response. */
export interface ExchangeLabels extends SentByLab {
  /** The number of the drill that sent it, or whose login it is of. */
  drill?: number;
  /** Whether the drill had begun to provoke refusals, which are no mistakes of a client. */
  isProvoked?: boolean;
  /** What a drill found in its flow: a fault that the application accepted, or what a check shows. */
  finding?: { id: string; isAccepted: boolean };
  /** Whether the MCP server of the lab responded. */
  isMcp?: boolean;
  /** The issuer whose server responded. */
  issuer?: string;
}

/** A request with its response. */
export interface Exchange extends ReportedFacts, ExchangeLabels {
  id: number;
  /** When it began, in milliseconds of the lab's clock. */
  began: number;
  /** When it ended, in milliseconds of the lab's clock. */
  at: number;
  request: WireRequest;
  /** Undefined if the connection was closed before the response was complete. */
  response?: WireResponse | undefined;
  /** Marks of the recorder: two exchanges whose spans overlap ran in parallel. */
  span: [startMark: number, endMark: number];
  /** The names of the faults that changed the response. */
  faults: string[];
  /** What the response hands out with a value that the test chose, by the names on the wire. */
  chosen?: readonly string[];
  /** The tenant whose server responded, if that is not the lab itself; `"outer/inner"` of two. */
  tenant?: string | undefined;
}

/** Reads a request. The server can still read its body, and rejects one that cannot be read. */
export async function readWireRequest(
  request: IncomingRequest,
  { pathname, search }: URL,
  { base, paths }: Settings,
): Promise<WireRequest> {
  const path = pathWithinIssuer(pathname, base) ?? pathname;
  const headers = Object.fromEntries(request.headers);
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const body = hasBody ? await request.text().catch(() => "") : "";
  const isForm = headers["content-type"]?.startsWith(formType) ?? false;
  const form = isForm ? parseForm(body) : new URLSearchParams();
  // The parameters of a URL would keep it as long as the record.
  const query = new URLSearchParams(search);
  const client = clientOf(headers.authorization, form, query);
  return {
    method: request.method,
    url: request.url,
    path,
    endpoint: endpointAt(paths, path),
    headers,
    body,
    query,
    form,
    client,
  };
}

/** Parses a form as far as the server does: it refuses one with more parameters. */
export function parseForm(body: string): URLSearchParams {
  return new URLSearchParams(body.split("&", maxParameters + 1).join("&"));
}

/**
 * Returns the parameters that a client meant to send: those of the form, or of a body that the
 * server refuses because it is JSON, plain text or in parts. They show what it was about.
 */
export function intendedForm({ form, body }: WireRequest): URLSearchParams {
  const [first = ""] = form.keys();
  if (body === "" || (first !== "" && !first.startsWith("{"))) return form;
  if (body.startsWith("--")) {
    return new URLSearchParams(
      [...body.matchAll(formPart)].map(([, name = "", value = ""]) => [name, value]),
    );
  }
  const members = body.startsWith("{") ? parseJson(body) : undefined;
  if (!isObject(members)) return parseForm(body);
  return formOf(members);
}

/** A response whose body is not a stream. */
interface WholeResponse extends ResponseData {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** A response as it was made, and what a client reads of it. */
export interface MadeResponse {
  response: ResponseData;
  read: WireResponse;
}

/** The media types of text, except for streams of events. */
const finiteText = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i;

/** Reads a response if its body is text that has an end. Of a stream, the body is not read. */
export function readResponse(sent: ResponseData): MadeResponse | Promise<MadeResponse> {
  const { status, headers, body } = sent;
  if (!(body instanceof ReadableStream)) return readWholeResponse(sent);
  const type = headerOf(sent, "Content-Type") ?? "";
  if (finiteText.test(type)) return readWholeResponse(sent);
  return { response: sent, read: { status, headers, body: "" } };
}

/** Reads a response, even if its body is a stream. */
function readWholeResponse(sent: ResponseData): MadeResponse | Promise<MadeResponse> {
  const { body } = sent;
  if (!(body instanceof ReadableStream)) return madeResponse({ ...sent, body });
  return toResponse(sent).arrayBuffer()
    .then((bytes) => madeResponse({ ...sent, body: new Uint8Array(bytes) }));
}

function madeResponse(response: WholeResponse): MadeResponse {
  const { status, headers } = response;
  return { response, read: { status, headers, body: textOf(response) } };
}

function textOf({ body }: WholeResponse): string {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : body ?? "";
}

/** Returns the value of a header. The case of its name does not matter. */
export function headerOf(
  { headers }: Pick<WireResponse, "headers">,
  name: string,
): string | undefined {
  return headers.find(([each]) => isSameName(each, name))?.[1];
}

export function withHeaderValue(response: WireResponse, name: string, value: string): WireResponse {
  const headers = response.headers.map(([each, old]): [string, string] => [
    each,
    isSameName(each, name) ? value : old,
  ]);
  return { ...response, headers };
}

/** Returns the members of a response: of the JSON object in its body, or of a form. */
export function jsonOf(response: WireResponse): Record<string, unknown> | undefined {
  const { body } = response;
  if (isForm(response)) return Object.fromEntries(new URLSearchParams(body));
  const value = body.startsWith("{") ? parseJson(body) : undefined;
  return isObject(value) ? value : undefined;
}

/** Changes the members of a response. A form stays one. */
export function withJson(
  response: WireResponse,
  change: (body: Record<string, unknown>) => Record<string, unknown>,
): WireResponse {
  return { ...response, body: writeMembers(response, change(jsonOf(response) ?? {})) };
}

export function writeMembers(response: WireResponse, members: Record<string, unknown>): string {
  return isForm(response) ? formOf(members).toString() : JSON.stringify(members);
}

function formOf(members: Record<string, unknown>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(members).map(([name, value]) => [name, describeValue(value)]),
  );
}

/** A lab can send token responses as a form, as some providers do. */
function isForm(response: WireResponse): boolean {
  return headerOf(response, "Content-Type")?.startsWith(formType) ?? false;
}

/** Returns a parameter of a request, which is in its URL or in its form. */
export function parameterOf({ query, form }: WireRequest, name: string): string | undefined {
  return query.get(name) ?? form.get(name) ?? undefined;
}

export function tokenOf({ headers, form }: WireRequest): string | undefined {
  const { authorization } = headers;
  if (authorization && (isScheme(authorization, "Bearer") || isScheme(authorization, "DPoP"))) {
    return authorization.split(" ").filter(Boolean)[1];
  }
  return form.get("access_token") ?? undefined;
}

export function presentedIn(request: WireRequest): string[] {
  const names = [...redeemedParameters, "token"];
  const form = intendedForm(request);
  const values = [...names.map((name) => form.get(name)), tokenOf(request)];
  return values.filter((value) => typeof value === "string");
}
