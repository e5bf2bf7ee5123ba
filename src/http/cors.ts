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
  const { headers } = response;
  headers.set("Access-Control-Allow-Origin", credentialedOrigin ?? "*");
  headers.set("Access-Control-Expose-Headers", "WWW-Authenticate, DPoP-Nonce");
  if (credentialedOrigin !== undefined) {
    headers.set("Access-Control-Allow-Credentials", "true");
    headers.append("Vary", "Origin");
  }
  return response;
}
