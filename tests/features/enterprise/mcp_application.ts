import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { callMcpTool } from "../../support/mcp.ts";
import { testClient } from "../../support/test_client.ts";

/** The origin of the application, which has no port of its own. */
export const mcpApplicationOrigin = "http://localhost:3000";

const redirectUri = `${mcpApplicationOrigin}/callback`;
const client = testClient({ client_id: "app", redirect_uri: redirectUri, scope: "read" });

/** A lab that reaches a web application, which calls a tool of an MCP server for its users. */
export interface McpApplicationLab extends AsyncDisposable {
  lab: TestLab;
  /** The tenant whose MCP server the application uses. */
  tenant: TestLab;
}

/** Opens such a lab. The application checks the issuer, and opens `/` for connected users alone. */
export async function openMcpApplication(): Promise<McpApplicationLab> {
  const parts: { server?: TestLab } = {};
  const connected = new Set<string>();

  async function finish({ searchParams }: URL, session: string): Promise<Response> {
    const server = parts.server!;
    if (searchParams.get("iss") !== server.issuer) return new Response(null, { status: 400 });
    const code = searchParams.get("code") ?? "";
    const { body } = await client.redeem(server, code, { resource: `${server.issuer}/mcp` });
    const { access_token } = body;
    const { status } = await callMcpTool(server, "whoami", { token: access_token });
    if (status === 200) connected.add(session);
    return new Response(null, { status });
  }

  function begin(): Response {
    const server = parts.server!;
    const Location = client.authorizationUrl(server, { resource: `${server.issuer}/mcp` });
    const cookie = `session=${crypto.randomUUID()}; Path=/; HttpOnly`;
    return new Response(null, { status: 302, headers: { Location, "Set-Cookie": cookie } });
  }

  async function respond(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const session = /session=([^;]+)/.exec(request.headers.get("Cookie") ?? "")?.[1] ?? "";
    if (url.pathname === "/callback") return await finish(url, session);
    return connected.has(session) ? new Response("Connected") : begin();
  }

  const fetch = (url: string, { method, headers, body }: RequestInit) =>
    respond(new Request(url, { method, headers, body } as RequestInit));
  const lab = await hallpass({ issuer: "http://localhost:9000", fetch: fetch as never });
  const tenant = await lab.tenant({
    id: "acme",
    fetch: fetch as never,
    clients: [{ id: "app", redirectUris: [redirectUri] }],
  });
  parts.server = tenant;
  return { lab, tenant, [Symbol.asyncDispose]: () => lab.close() };
}
