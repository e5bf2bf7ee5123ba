import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { challenge, verifier } from "../../support/flow_kit.ts";
import { callMcpTool, sendMcp } from "../../support/mcp.ts";

const issuer = "http://localhost:9000";
const redirectUri = "http://localhost:3000/callback";

/** Goes through a flow of demo-cli, and returns its access token for the MCP server. */
async function accessToken(lab: TestLab): Promise<string> {
  const request = new URLSearchParams({
    response_type: "code",
    client_id: "demo-cli",
    redirect_uri: redirectUri,
    scope: "read",
    state: "a-state",
    resource: `${issuer}/mcp`,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const { code } = await lab.authorize(`${issuer}/oauth2/authorize?${request}`, { user: "alice" });
  const response = await lab.fetch(`${issuer}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: "demo-cli",
      code: code ?? "",
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  return (await response.json()).access_token;
}

/** Returns the last steps of the only flow. */
function stepsOf(lab: TestLab, count: number): unknown[] {
  assertEquals(lab.flows().length, 1);
  return lab.flows()[0]?.steps.slice(-count).map(({ what, status }) => [what, status]) ?? [];
}

describe("A call of the lab's MCP server", () => {
  it("is a step of the flow whose token it carries", async () => {
    await using lab = await hallpass({ issuer });
    const token = await accessToken(lab);
    await callMcpTool(lab, "read_notes", { token });
    await callMcpTool(lab, "write_note", { token });
    assertEquals(stepsOf(lab, 3), [["redeemed", 200], ["used", 200], ["used", 403]]);
    assertEquals(lab.flows()[0]?.uses, 2);
    const text = await (await lab.fetch(`${issuer}/lab/flows/flow-1/text`)).text();
    assertMatch(text, /Hallpass +MCP server/);
    assertMatch(text, /POST \/mcp: tools\/call read_notes/);
    assertMatch(text, /403 insufficient_scope/);
    lab.assertClean({ refused: true });
  });

  it("is a step of its flow also after the token was revoked", async () => {
    await using lab = await hallpass({ issuer });
    const token = await accessToken(lab);
    const body = new URLSearchParams({ token, client_id: "demo-cli" });
    await lab.fetch(`${issuer}/oauth2/revoke`, { method: "POST", body });
    await sendMcp(lab, { token });
    assertEquals(stepsOf(lab, 2), [["revoked", 200], ["used", 401]]);
  });

  it("begins no flow without a token, or with one that no server issued", async () => {
    await using lab = await hallpass({ issuer });
    await sendMcp(lab);
    await sendMcp(lab, { token: "made.up.token" });
    await lab.fetch(`${issuer}/.well-known/oauth-protected-resource/mcp`);
    assertEquals(lab.flows(), []);
  });
});
