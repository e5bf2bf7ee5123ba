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

/** Lets scripts of any origin read an answer, and none send cookies: no origin is ever echoed (RFC 9700, section 2.6). */
export function openToScripts(response: Response): Response {
  response.headers.set("Access-Control-Allow-Origin", "*");
  response.headers.set("Access-Control-Expose-Headers", "WWW-Authenticate, DPoP-Nonce");
  return response;
}
