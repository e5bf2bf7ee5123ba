import type { RequestHeaders } from "./incoming_request.ts";
import type { HeaderList, ResponseData } from "./response_data.ts";

const exposedHeaders = ["Access-Control-Expose-Headers", "WWW-Authenticate, DPoP-Nonce"] as const;
const readableByAll: HeaderList = [["Access-Control-Allow-Origin", "*"], exposedHeaders];

/** What a handler of the configuration may have set: only one value of each may be sent. */
const aboutReaders = /^access-control-(?:allow-origin|expose-headers)$/i;

/** The headers that scripts may always send. */
const ownHeaders = ["Authorization", "Content-Type", "DPoP", "MCP-Protocol-Version"];

/** The limits of what a preflight may ask for; the response repeats it. */
const maxHeaders = 32;
const headerName = /^[a-z0-9!#$%&'+.^_`|~-]{1,64}$/;

/**
 * Makes the response to a preflight. A preflight names no client, so it cannot depend on one, and
 * never allows credentials.
 */
export function preflightResponse(
  headers: RequestHeaders,
  methods: readonly string[],
): ResponseData {
  const requested = requestedHeaders(headers.get("Access-Control-Request-Headers"));
  return {
    status: 204,
    headers: [
      ["Access-Control-Allow-Origin", "*"],
      ["Access-Control-Allow-Methods", methods.join(", ")],
      ["Access-Control-Allow-Headers", [...ownHeaders, ...requested].join(", ")],
      ["Access-Control-Max-Age", "600"],
      ["Vary", "Access-Control-Request-Headers"],
    ],
    body: null,
  };
}

/**
 * Returns the headers that a preflight adds to ours: libraries and tracing send their own.
 * A list with anything but names of headers asks for none. A `*` is a name, too, but means all.
 */
function requestedHeaders(text: string | null): string[] {
  const names = (text ?? "").toLowerCase().split(",").map((name) => name.trim());
  if (names.length > maxHeaders || !names.every((name) => headerName.test(name))) return [];
  return names.filter((name) => !ownHeaders.some((own) => own.toLowerCase() === name));
}

/**
 * Lets scripts of every origin read a response, without credentials (RFC 9700, section 2.6). With
 * `credentialedOrigin`, only that origin may read it, with credentials.
 */
export function allowScripts(response: ResponseData, credentialedOrigin?: string): ResponseData {
  const kept = response.headers.filter(([name]) => !aboutReaders.test(name));
  const added: HeaderList = credentialedOrigin === undefined ? readableByAll : [
    ["Access-Control-Allow-Origin", credentialedOrigin],
    exposedHeaders,
    ["Access-Control-Allow-Credentials", "true"],
    ["Vary", "Origin"],
  ];
  return { ...response, headers: [...kept, ...added] };
}
