import { decodeForm } from "../../server/protocol/form_parameters.ts";
import type { Exchange, WireRequest, WireResponse } from "./exchange.ts";

/** What replaces a secret. */
export const redacted = "[redacted]";

const secretNames = [
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
/** A parameter of a form or URL, whose name may be percent-encoded. */
const formParameter = /(^|[?&#])([^?&#=\s]+)=[^&#\s]+/g;
/** A parameter of a URL within JSON or HTML, where a quote ends the URL and `&` may be `&amp;`. */
const urlParameter = /([?&#;])([^?&#;=\s"<>]+)=[^&#\s"<>]+/g;
const isSecretName = new RegExp(`^(?:${secretNames})$`);
const jsonMember = new RegExp(`("(?:${secretNames})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, "g");
const htmlField = new RegExp(`(name="(?:${secretNames})" value=")[^"]*`, "g");
const cookiePair = /(^|;\s*)(?:([^=;]*=)[^;]*|[^=;]+)/g;

/** Whether the value of a parameter or member with this name is a secret. */
export function isSecret(name: string): boolean {
  return isSecretName.test(name);
}

/** Returns an exchange without its secrets, for logs and screens. */
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
  const query = redactFields(request.query);
  const form = redactFields(request.form);
  // A form may come with a wrong media type, or with none.
  const body = request.body.startsWith("{") ? redactText(request.body) : redactForm(request.body);
  return { ...request, url: redactForm(request.url), headers, body, query, form };
}

function redactResponse(response: WireResponse): WireResponse {
  const headers = response.headers
    .map(([name, value]): [string, string] => [name, redactHeader(name, value)]);
  return { ...response, headers, body: redactText(response.body) };
}

/** Redacts a header, but not the scheme of an Authorization header or the names of cookies. */
function redactHeader(name: string, value: string): string {
  switch (name.toLowerCase()) {
    case "authorization":
    case "dpop":
      return value.replace(/^(\S+ )?[\s\S]+$/, `$1${redacted}`);
    case "cookie":
      return value.replaceAll(cookiePair, `$1$2${redacted}`);
    case "set-cookie":
      return value.replace(/^([^=;]*=)?[^;]*/, `$1${redacted}`);
    default:
      return redactText(value);
  }
}

/** Redacts JSON, HTML, a URL, or a sentence with a URL in it. */
function redactText(text: string): string {
  return text.replace(urlParameter, hide)
    .replace(jsonMember, `$1${redacted}`)
    .replace(htmlField, `$1${redacted}`);
}

/** A name before a value in a text of any form: `name=value`, `name: 'value'`. */
const afterName = `["']?\\s*[:=]\\s*["']?(?:(?:Bearer|Basic|DPoP)\\s+)?`;
const value = `[^\\s"'&,;)}]`;
const namedSecret = new RegExp(
  `((?:password|secret|cookie|authorization|dpop|private_key|api_?key)${afterName})${value}+`,
  "gi",
);
/** Shorter values are none of the lab, and `code: 1` is how a program ended. */
const namedToken = new RegExp(`((?:${secretNames})${afterName})${value}{8,}`, "gi");
const schemeAndSecret = /\b(Bearer|Basic|DPoP)\s+[^\s"',;]{6,}/g;
const jwt = /\beyJ[\w-]+(?:\.[\w-]*)*/g;
/** A long text of letters and digits that looks random. */
const randomText = /(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{32,}/g;

/** Removes what looks like a credential from the output of a program. */
export function redactOutput(text: string): string {
  return redactText(text)
    .replace(jwt, redacted)
    .replace(namedSecret, `$1${redacted}`)
    .replace(namedToken, `$1${redacted}`)
    .replace(schemeAndSecret, `$1 ${redacted}`)
    .replace(randomText, redacted);
}

/** Redacts what was expected or came, if that is known: it may be a URL with a code in it. */
export function redactValue(text: string | undefined): string | undefined {
  return text === undefined ? undefined : redactText(text);
}

function redactFields(fields: URLSearchParams): URLSearchParams {
  return new URLSearchParams(redactForm(fields.toString()));
}

function redactForm(text: string): string {
  return text.replace(formParameter, hide);
}

function hide(all: string, mark: string, name: string): string {
  if (isSecret(decodeForm(name) ?? name)) return `${mark}${name}=${redacted}`;
  const start = mark.length + name.length + 1;
  return all.slice(0, start) + hideWithin(all.slice(start));
}

/** A value may be a URL, such as a redirect URI, that has a secret in a parameter of its own. */
function hideWithin(value: string): string {
  const text = decodeForm(value);
  if (text === undefined || !text.includes("=")) return value;
  const hidden = redactText(text);
  return hidden === text ? value : new URLSearchParams({ "": hidden }).toString().slice(1);
}
