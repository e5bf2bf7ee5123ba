import type { Exchange, WireRequest, WireResponse } from "./exchange.ts";
import {
  isSecretHeader,
  redactBody,
  redacted,
  redactFields,
  redactText,
  redactUrl,
  secretNames,
} from "./redact_text.ts";

const cookiePair = /(^|;\s*)(?:([^=;]*=)[^;]*|[^=;]+)/g;
/** A scheme is a word. What else precedes a space may be part of a secret. */
const authorization = /^([A-Za-z]{1,12} )?[\s\S]+$/;

/** A name before a value in a text of any form: `name=value`, `name: 'value'`. */
const afterName = `["']?\\s*[:=]\\s*["']?(?:(?:Bearer|Basic|DPoP)\\s+)?`;
const value = `[^\\s"'&,;)}]`;
const namedSecret = new RegExp(
  `((?:password|secret|cookie|authorization|dpop|private_key|api_?key)${afterName})${value}+`,
  "gi",
);
/** Shorter values are none of the lab, and `code: 1` is how a program ended. */
const namedToken = new RegExp(`((?:${secretNames.join("|")})${afterName})${value}{8,}`, "gi");
const schemeAndSecret = /\b(Bearer|Basic|DPoP)\s+[^\s"',;]{6,}/g;
const jwt = /\beyJ[\w-]+(?:\.[\w-]*)*/g;
const longText = /[\w-]{32,}/g;

/** Returns an exchange without its secrets, for logs and screens. */
export function redact(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: redactRequest(request),
    ...response && { response: redactResponse(response) },
  };
}

/** Redacts what was expected or came, if that is known: it may be a URL with a code in it. */
export function redactValue(text: string | undefined): string | undefined {
  return text === undefined ? undefined : redactText(text);
}

/** Removes what looks like a credential from the output of a program. */
export function redactOutput(text: string): string {
  return redactText(text)
    .replace(jwt, redacted)
    .replace(namedSecret, `$1${redacted}`)
    .replace(namedToken, `$1${redacted}`)
    .replace(schemeAndSecret, `$1 ${redacted}`)
    .replace(longText, (found) => isRandom(found) ? redacted : found);
}

function redactRequest(request: WireRequest): WireRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, redactHeader(name, value)]),
  );
  const query = redactFields(request.query);
  const form = redactFields(request.form);
  const body = redactBody(request.body);
  return { ...request, url: redactUrl(request.url), headers, body, query, form };
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
    case "proxy-authorization":
    case "dpop":
      return value.replace(authorization, `$1${redacted}`);
    case "cookie":
      return value.replaceAll(cookiePair, `$1$2${redacted}`);
    case "set-cookie":
      return value.replace(/^([^=;]*=)?[^;]*/, `$1${redacted}`);
    default:
      return isSecretHeader(name) ? redacted : redactText(value);
  }
}

/** Whether a long text of letters and digits looks random. */
function isRandom(text: string): boolean {
  return [/\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(text));
}
