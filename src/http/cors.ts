import type { HeaderList } from "./answer.ts";

/** Any script may call, none with cookies: no origin is ever echoed (RFC 9700, section 2.6). */
const forScripts: HeaderList = [
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", "WWW-Authenticate, DPoP-Nonce"],
];

/** The answer to a preflight, which names no client and can therefore not depend on one. */
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

export function openToScripts(response: Response): Response {
  for (const [name, value] of forScripts) response.headers.set(name, value);
  return response;
}
