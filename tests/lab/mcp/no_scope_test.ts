import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { challenge, verifier } from "../../support/flow_kit.ts";
import { callMcpTool } from "../../support/mcp.ts";
import { present } from "../../support/present.ts";

const issuer = "http://localhost:9000";
const redirect_uri = "http://localhost:3000/callback";
const metadata = { redirect_uris: [redirect_uri], token_endpoint_auth_method: "none" };
/** How a client comes by its id. */
const ways: Record<string, (lab: TestLab) => Promise<string> | string> = {
  "a metadata document": (lab) => lab.clientDocument(metadata).url,
  "registration": async (lab) => {
    const body = JSON.stringify(metadata);
    const headers = { "Content-Type": "application/json" };
    const url = `${lab.issuer}/oauth2/register`;
    return (await (await lab.fetch(url, { method: "POST", headers, body })).json()).client_id;
  },
  "configuration": () => "notes",
};

/** Walks through the flow without a scope. */
async function getToken(lab: TestLab, client_id: string): Promise<string> {
  const id = { client_id, redirect_uri, resource: lab.mcp().url };
  const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
  const asked = new URLSearchParams({ response_type: "code", ...id, ...pkce });
  const { code } = await lab.authorize(`${lab.issuer}/oauth2/authorize?${asked}`, {
    user: "alice",
  });
  const form = {
    grant_type: "authorization_code",
    code: present(code),
    code_verifier: verifier,
    ...id,
  };
  const body = new URLSearchParams(form);
  const response = await lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body });
  return (await response.json()).access_token;
}

describe("A client that requests no scope (MCP 2026-07-28, Scope Selection Strategy)", () => {
  for (const [way, clientFor] of Object.entries(ways)) {
    it(`gets the default one by ${way}, and calls every tool of its scope`, async () => {
      await using lab = await hallpass({
        issuer,
        clients: [{ id: "notes", redirectUris: [redirect_uri] }],
      });
      const token = await getToken(lab, await clientFor(lab));
      const { json } = await callMcpTool(lab, "whoami", { token });
      assertEquals(json.result.structuredContent.scope, ["groups", "read", "write"]);
      assertEquals((await callMcpTool(lab, "write_note", { token })).status, 200);
      lab.assertClean();
    });
  }
});
