import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { callMcpTool } from "../../../support/mcp.ts";
import { registerAt } from "../../../support/registration.ts";
import { assertClean } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";
import { featuresOf, needs } from "../../../support/where_feature.ts";

const issuer = "http://localhost:9000";
const redirect_uri = "http://localhost:3000/callback";
const metadata = { redirect_uris: [redirect_uri], token_endpoint_auth_method: "none" };
/** How a client comes by its id. */
const ways: Record<string, (lab: TestLab) => Promise<string> | string> = {
  "a metadata document": (lab) => lab.clientDocument(metadata).url,
  "registration": async (lab) => (await registerAt(lab, metadata)).body.client_id,
  "configuration": () => "notes",
};

/** Walks through the flow without a scope. */
async function getToken(lab: TestLab, client_id: string): Promise<string> {
  const client = testClient({ client_id, redirect_uri });
  const resource = lab.mcp().url;
  const code = await client.code(lab, { resource, scope: undefined });
  return (await client.redeem(lab, code, { resource })).body.access_token;
}

describe("A client that requests no scope (MCP 2026-07-28, Scope Selection Strategy)", () => {
  for (const [way, clientFor] of Object.entries(ways)) {
    it(
      `gets the default one by ${way}, and calls every tool of its scope`,
      needs(...featuresOf(clientFor)),
      async () => {
        const clients = [{ id: "notes", redirectUris: [redirect_uri] }];
        await using lab = await hallpass({ issuer, clients });
        const token = await getToken(lab, await clientFor(lab));
        const { json } = await callMcpTool(lab, "whoami", { token });
        assertEquals(json.result.structuredContent.scope, ["groups", "read", "write"]);
        assertEquals((await callMcpTool(lab, "write_note", { token })).status, 200);
        assertClean(lab);
      },
    );
  }
});
