import { listHeaders } from "../../server/http/response_data.ts";
import { type Exchange, headerOf, jsonOf, type WireResponse } from "../recording/exchange.ts";
import { redact } from "../recording/redact.ts";
import { refusalOf } from "../recording/refusal.ts";
import { callbackIn } from "../recording/wire_callback.ts";
import { findNote } from "../tokens/notes.ts";
import type { Note } from "../tokens/request_notes.ts";
import { toCurl } from "./curl.ts";

/** A parameter or header, with what it means. */
export interface ShownParameter {
  name: string;
  value: string;
  note?: Note | undefined;
  /** Whether the server refused the request because of it. */
  isAtFault: boolean;
  /** Whether the request did not have it at all. */
  isMissing?: boolean | undefined;
}

/** One side of an exchange, ready to be shown. */
export interface ShownMessage {
  /** The request line or the status. */
  title: string;
  parameters: ShownParameter[];
  headers: ShownParameter[];
  /** The body, unless the parameters are all of it. */
  body?: string | undefined;
}

/** An exchange, ready to be shown. Secrets are hidden unless the reader asked for them. */
export interface ExchangeDetails {
  request: ShownMessage;
  response: ShownMessage | undefined;
  curl: string;
}

export function exchangeDetails(
  exchange: Exchange,
  issuer: string,
  withSecrets: boolean,
): ExchangeDetails {
  const shown = withSecrets ? exchange : redact(exchange);
  return {
    request: shownRequest(shown, refusalOf(exchange)?.parameter),
    response: shown.response && shownResponse(shown.response, issuer),
    curl: toCurl(shown.request),
  };
}

function shownRequest({ request }: Exchange, parameterAtFault: string | undefined): ShownMessage {
  const { method, url, query, form, headers, body } = request;
  const pairs = [...query, ...form];
  const parameters = pairs.map(([name, value]): ShownParameter => ({
    name,
    value,
    note: findNote("request", name),
    isAtFault: name === parameterAtFault,
  }));
  const isMissing = parameterAtFault !== undefined && /^[a-z_]+$/.test(parameterAtFault) &&
    !pairs.some(([name]) => name === parameterAtFault);
  return {
    title: `${method} ${url.split("?", 1).join()}`,
    parameters: isMissing ? [...parameters, missingParameter(parameterAtFault)] : parameters,
    headers: Object.entries(headers).map(([name, value]) =>
      shownHeader(name, value, parameterAtFault)
    ),
    body: [...form].length > 0 || body === "" ? undefined : body,
  };
}

function missingParameter(name: string): ShownParameter {
  return { name, value: "", note: findNote("request", name), isAtFault: true, isMissing: true };
}

function shownHeader(
  name: string,
  value: string,
  parameterAtFault: string | undefined,
): ShownParameter {
  const isAtFault = name.toLowerCase() === parameterAtFault?.toLowerCase();
  return { name, value, note: findNote("header", name.toLowerCase()), isAtFault };
}

function shownResponse(response: WireResponse, issuer: string): ShownMessage {
  const callback = callbackIn(response, issuer);
  const members = callback?.members ?? Object.entries(jsonOf(response) ?? {});
  const place = callback ? "callback" : "response";
  const isHtml = headerOf(response, "Content-Type")?.startsWith("text/html") ?? false;
  return {
    title: String(response.status),
    parameters: members.map(([name, value]) => ({
      name,
      value: typeof value === "string" ? value : JSON.stringify(value),
      note: findNote(place, name),
      isAtFault: name === "error",
    })),
    headers: listHeaders(response.headers).map(([name, value]) =>
      shownHeader(name, value, undefined)
    ),
    body: isHtml || response.body === "" ? undefined : response.body,
  };
}
