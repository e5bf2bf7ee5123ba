import type { ServerEvent } from "../../server/config/events.ts";
import { idJagTokenType } from "../../server/protocol/grant_types.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { ownMember } from "../../server/util/values/members.ts";
import {
  type Exchange,
  headerOf,
  intendedForm,
  jsonOf,
  type WireRequest,
} from "../recording/exchange.ts";
import { refusalOf } from "../recording/refusal.ts";
import { memberOf, type WireCallback } from "../recording/wire_callback.ts";
import { tokenKindsIn } from "./flow_credentials.ts";
import { pageTitleOf } from "./flow_outcome.ts";

export interface ArrowTitle {
  title: string;
  note?: string | undefined;
}

const grantNames: Readonly<Record<string, string>> = {
  "urn:ietf:params:oauth:grant-type:device_code": "device_code",
  "urn:openid:params:grant-type:ciba": "ciba",
  "urn:ietf:params:oauth:grant-type:token-exchange": "token-exchange",
  "urn:ietf:params:oauth:grant-type:jwt-bearer": "jwt-bearer",
};

/** Names a request by its method and path, and what matters in it. */
export function requestTitle({ request, events, isMcp = false }: Exchange): ArrowTitle {
  const title = `${request.method} ${request.path}`;
  if (isMcp) return { title, note: mcpNoteOf(request) };
  if (request.endpoint === "interaction") return interactionTitle(request, events);
  return { title, note: requestNoteOf(request) };
}

/** Names a response by its status, and what it brings. */
export function responseTitle(exchange: Exchange, callback: WireCallback | undefined): ArrowTitle {
  const { response, request } = exchange;
  if (!response) return { title: "Connection closed", note: "no response" };
  if (callback) {
    return { title: `${response.status} to the client`, note: responseNoteOf(callback) };
  }
  const error = jsonOf(response)?.error ?? refusalOf(exchange)?.error;
  if (typeof error === "string") return { title: `${response.status} ${error}` };
  const location = headerOf(response, "Location");
  if (location !== undefined) {
    return { title: `${response.status} redirect`, note: shortUrl(location) };
  }
  const page = pageTitleOf(response);
  if (page !== undefined) return { title: `${response.status} page`, note: page };
  return { title: String(response.status), note: contentOf(exchange, request) };
}

/** Lists what an authorization response brings: "code, state, iss". */
export function responseNoteOf(callback: WireCallback): string {
  const error = memberOf(callback, "error");
  if (error !== undefined) return `error ${error}`;
  return callback.members.map(([name]) => name).join(", ");
}

/** Shortens a URL to its path, for a line of a diagram. */
export function shortUrl(url: string): string {
  const [start = ""] = url.split(/[?#]/, 1);
  return start.replace(/^https?:\/\/[^/]+(?=\/)/, "");
}

function interactionTitle(request: WireRequest, events: readonly ServerEvent[]): ArrowTitle {
  const page = request.path.split("/").at(-1) ?? "";
  const titles: Readonly<Record<string, string>> = {
    "sign-in": "Submits the sign-in form",
    account: "Chooses an account",
    consent: "Submits the consent form",
  };
  const title = request.method === "POST" ? ownMember(titles, page) : "Opens the page";
  return { title: title ?? `${request.method} form`, note: userAction(events, request) };
}

function userAction(events: readonly ServerEvent[], { form }: WireRequest): string | undefined {
  const notes = events.map((event) => {
    switch (event.type) {
      case "sign_in.succeeded":
        return `${event.user} signs in`;
      case "sign_in.failed":
        return "the sign-in fails";
      case "consent.given":
        return event.unasked ? `${event.user} allows, unasked` : `${event.user} allows`;
      case "consent.denied":
        return `${event.user} denies`;
      case "request.canceled":
        return "canceled";
      default:
        return undefined;
    }
  });
  return notes.findLast((note) => note !== undefined) ?? form.get("decision") ?? undefined;
}

/** Names the method of a message, and the tool that it calls. */
function mcpNoteOf({ body }: WireRequest): string | undefined {
  const message = parseJson(body);
  if (!isObject(message) || typeof message.method !== "string") return undefined;
  const tool = isObject(message.params) ? message.params.name : undefined;
  return typeof tool === "string" ? `${message.method} ${tool}` : message.method;
}

function referenceNoteOf(query: URLSearchParams): string | undefined {
  const uri = query.get("request_uri");
  if (uri === null) return undefined;
  return /^https?:/i.test(uri) ? "with a request by reference" : "with a pushed request";
}

function requestNoteOf(request: WireRequest): string | undefined {
  const { endpoint, query, headers } = request;
  const form = intendedForm(request);
  switch (endpoint) {
    case "authorize":
      return referenceNoteOf(query) ?? scopeOf(query) ?? scopeOf(form);
    case "par":
    case "deviceAuthorization":
    case "backchannelAuthentication":
      return scopeOf(form);
    case "token":
      return form.get("requested_token_type") === idJagTokenType
        ? "token-exchange for an ID-JAG"
        : grantNameOf(form.get("grant_type"));
    case "device":
      return form.has("user_code") ? "the user code" : undefined;
    case "userinfo":
      return headers.authorization === undefined ? "without a token" : "with the access token";
    case "introspect":
    case "revoke":
      return form.get("token_type_hint") ?? undefined;
    default:
      return undefined;
  }
}

function scopeOf(parameters: URLSearchParams): string | undefined {
  return parameters.get("scope") ?? undefined;
}

function grantNameOf(grantType: string | null): string {
  if (grantType === null) return "no grant_type";
  return ownMember(grantNames, grantType) ?? grantType;
}

function contentOf({ response }: Exchange, { endpoint }: WireRequest): string | undefined {
  const json = response && jsonOf(response);
  if (!json) return undefined;
  if (json.issued_token_type === idJagTokenType) return "ID-JAG";
  const tokens = tokenKindsIn(json);
  if (tokens.length > 0) return tokens.join(", ");
  if (endpoint === "introspect") return json.active === true ? "active" : "not active";
  if (endpoint === "userinfo") return "claims";
  return endpoint === undefined ? undefined : Object.keys(json).slice(0, 2).join(", ");
}
