import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { hallpass } from "hallpass/testing";
import assert from "node:assert/strict";
import { it } from "node:test";
import { createAuthProvider } from "./mcp_auth_provider.ts";

it("signs in to an MCP server of which it knows the URL", async () => {
  await using lab = await hallpass();
  const { url } = lab.mcp({ tools: { greet: { call: ({ name }) => `Hello ${name}` } } });
  const authProvider = createAuthProvider();
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      authProvider,
      fetch: lab.fetch,
    });
    const client = new Client({ name: "notes", version: "1.0.0" });
    return { client, transport, connected: client.connect(transport) };
  };

  const first = await connect();
  await assert.rejects(first.connected); // the provider got the URL to open
  const { code } = await lab.authorize(authProvider.opened[0]!.href, { user: "alice" });
  await first.transport.finishAuth(code!);

  const { client, connected } = await connect();
  await connected;
  const { content } = await client.callTool({ name: "greet", arguments: { name: "Bob" } });
  assert.deepEqual(content, [{ type: "text", text: "Hello Bob" }]);
  lab.assertClean();
});
