import { type HeaderList, withHeaders } from "./lazy_response.ts";

const exposedHeaders = ["Access-Control-Expose-Headers", "WWW-Authenticate, DPoP-Nonce"] as const;
const readableByAll: HeaderList = [["Access-Control-Allow-Origin", "*"], exposedHeaders];

/** Makes the response to a preflight. A preflight names no client, so it cannot depend on one. */
export function preflightResponse(methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": methods.join(", "),
      "Access-Control-Allow-Headers": "Authorization, Content-Type, DPoP, MCP-Protocol-Version",
      "Access-Control-Max-Age": "600",
    },
  });
}

/**
 * Lets scripts of every origin read a response, without credentials (RFC 9700, section 2.6). With
 * `credentialedOrigin`, only that origin may read it, with credentials.
 */
export function allowScripts(response: Response, credentialedOrigin?: string): Response {
  if (credentialedOrigin === undefined) return withHeaders(response, readableByAll);
  return withHeaders(response, [
    ["Access-Control-Allow-Origin", credentialedOrigin],
    exposedHeaders,
    ["Access-Control-Allow-Credentials", "true"],
    ["Vary", "Origin"],
  ]);
}
