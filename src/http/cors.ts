/** The answer to a preflight, which names no client and so cannot depend on one. */
export function preflight(methods: readonly string[]): Response {
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
 * Lets scripts of any origin read a response, and none send credentials (RFC 9700, section 2.6); but
 * for the one origin that is named, if any.
 */
export function openToScripts(response: Response, credentialed?: string): Response {
  const { headers } = response;
  headers.set("Access-Control-Allow-Origin", credentialed ?? "*");
  headers.set("Access-Control-Expose-Headers", "WWW-Authenticate, DPoP-Nonce");
  if (credentialed !== undefined) {
    headers.set("Access-Control-Allow-Credentials", "true");
    headers.append("Vary", "Origin");
  }
  return response;
}
