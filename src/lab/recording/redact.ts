import type { Exchange, WireResponse } from "./exchange.ts";
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
    request: {
      ...request,
      url: redactUrl(request.url),
      headers: Object.fromEntries(redactHeaders(Object.entries(request.headers))),
      body: redactBody(request.body),
      query: redactFields(request.query),
      form: redactFields(request.form),
    },
    ...response && {
      response: {
        ...response,
        headers: redactHeaders(response.headers),
        body: redactText(response.body),
      },
    },
  };
}

/** Redacts what was expected or came, if that is known: it may be a URL with a code in it. */
export function redactValue(text: string | undefined): string | undefined {
  return text === undefined ? undefined : redactText(text);
}

/** Redacts headers, but not the scheme of an Authorization header or the names of cookies. */
function redactHeaders(headers: WireResponse["headers"]): WireResponse["headers"] {
  return headers.map(([name, value]): [string, string] => {
    switch (name.toLowerCase()) {
      case "authorization":
      case "proxy-authorization":
      case "dpop":
        return [name, value.replace(authorization, `$1${redacted}`)];
      case "cookie":
        return [name, value.replaceAll(cookiePair, `$1$2${redacted}`)];
      case "set-cookie":
        return [name, value.replace(/^([^=;]*=)?[^;]*/, `$1${redacted}`)];
      default:
        return [name, isSecretHeader(name) ? redacted : redactText(value)];
    }
  });
}
