import type { Exchange, WireRequest, WireResponse } from "./exchange.ts";
import {
  isSecretHeader,
  redactBody,
  redacted,
  redactFields,
  redactText,
  redactUrl,
} from "./redact_text.ts";

const cookiePair = /(^|;\s*)(?:([^=;]*=)[^;]*|[^=;]+)/g;
/** A scheme is a word. What else precedes a space may be part of a secret. */
const authorization = /^([A-Za-z]{1,12} )?[\s\S]+$/;

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
