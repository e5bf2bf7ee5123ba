import { assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { callMcpTool, sendMcp } from "../../../support/mcp.ts";
import { assertClean } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";

const it = itWith({ inLab: () => hallpass({ issuer }) });

const issuer = "http://localhost:9000";

const cli = testClient({
  client_id: "demo-cli",
  redirect_uri: "http://localhost:3000/callback",
  scope: "read",
});

/** Goes through a flow of demo-cli, and returns its access token for the MCP server. */
async function accessToken(lab: TestLab): Promise<string> {
  return (await cli.tokens(lab, { resource: `${issuer}/mcp` })).access_token;
}

/** Returns the last steps of the only flow. */
function stepsOf(lab: TestLab, count: number): unknown[] {
  assertEquals(lab.flows().length, 1);
  return lab.flows()[0]?.steps.slice(-count).map(({ what, status }) => [what, status]) ?? [];
}

describe("A call of the lab's MCP server", () => {
  it.inLab("is a step of the flow whose token it carries", async (lab) => {
    const token = await accessToken(lab);
    await callMcpTool(lab, "read_notes", { token });
    await callMcpTool(lab, "write_note", { token });
    assertEquals(stepsOf(lab, 3), [["redeemed", 200], ["used", 200], ["used", 403]]);
    assertEquals(lab.flows()[0]?.uses, 2);
    const text = await (await lab.fetch(`${issuer}/lab/flows/flow-1/text`)).text();
    assertMatch(text, /Hallpass +MCP server/);
    assertMatch(text, /POST \/mcp: tools\/call read_notes/);
    assertMatch(text, /403 insufficient_scope/);
    assertClean(lab, { refused: true });
  });

  it.inLab("is a step of its flow also after the token was revoked", async (lab) => {
    const token = await accessToken(lab);
    await cli.revoke(lab, token);
    await sendMcp(lab, { token });
    assertEquals(stepsOf(lab, 2), [["revoked", 200], ["used", 401]]);
  });

  it.inLab("begins no flow without a token, or with one that no server issued", async (lab) => {
    await sendMcp(lab);
    await sendMcp(lab, { token: "made.up.token" });
    await lab.fetch(`${issuer}/.well-known/oauth-protected-resource/mcp`);
    assertEquals(lab.flows(), []);
  });
});
