import { decodeForm } from "../../protocol/form_parameters.ts";
import type { Exchange, WireRequest, WireResponse } from "./exchange.ts";

/** What stands in place of a secret. */
export const redacted = "[redacted]";

const names = [
  "client_secret",
  "client_assertion",
  "code",
  "code_verifier",
  "access_token",
  "refresh_token",
  "id_token",
  "id_token_hint",
  "token",
  "subject_token",
  "actor_token",
  "assertion",
  "device_code",
  "user_code",
  "request_uri",
  "password",
  "form_token",
  "registration_access_token",
  "response",
].join("|");
/** A name can be written with escapes. */
const inForm = /(^|[?&#])([^?&#=\s]+)=[^&#\s]+/g;
/** In JSON and HTML an address ends where its text does, and `&` may be written `&amp;`. */
const inAddress = /([?&#;])([^?&#;=\s"<>]+)=[^&#\s"<>]+/g;
const secretName = new RegExp(`^(?:${names})$`);
const inJson = new RegExp(`("(?:${names})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, "g");
const inHtml = new RegExp(`(name="(?:${names})" value=")[^"]*`, "g");
const cookies = /(^|;\s*)(?:([^=;]*=)[^;]*|[^=;]+)/g;

/** An exchange as it may be shown to anybody, in a log or on a screen. */
export function redact(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: redactRequest(request),
    ...response && { response: redactResponse(response) },
  };
}

function redactRequest(request: WireRequest): WireRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, redactHeader(name, value)]),
  );
  const [query, form] = [request.query, request.form].map(redactFields);
  // A form may come under a wrong media type, or under none.
  const body = request.body.startsWith("{") ? redactText(request.body) : redactForm(request.body);
  return { ...request, url: redactForm(request.url), headers, body, query, form };
}

function redactResponse(response: WireResponse): WireResponse {
  const headers = response.headers.map((
    [name, value],
  ): [string, string] => [name, redactHeader(name, value)]);
  return { ...response, headers, body: redactText(response.body) };
}

/** The scheme of an Authorization header, and the names of cookies, are no secrets. */
function redactHeader(name: string, value: string): string {
  switch (name.toLowerCase()) {
    case "authorization":
    case "dpop":
      return value.replace(/^(\S+ )?[\s\S]+$/, `$1${redacted}`);
    case "cookie":
      return value.replaceAll(cookies, `$1$2${redacted}`);
    case "set-cookie":
      return value.replace(/^([^=;]*=)?[^;]*/, `$1${redacted}`);
    default:
      return redactText(value);
  }
}

/** A text in which parameters may stand: JSON, HTML, an address. */
function redactText(text: string): string {
  return text.replace(inAddress, hide).replace(inJson, `$1${redacted}`).replace(
    inHtml,
    `$1${redacted}`,
  );
}

function redactFields(fields: URLSearchParams): URLSearchParams {
  return new URLSearchParams(redactForm(fields.toString()));
}

function redactForm(text: string): string {
  return text.replace(inForm, hide);
}

function hide(all: string, mark: string, name: string): string {
  return secretName.test(decodeForm(name) ?? name) ? `${mark}${name}=${redacted}` : all;
}
