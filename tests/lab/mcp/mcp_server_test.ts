import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { hallpass } from "../../../src/lab/testing/mod.ts";
import { callMcpTool, mintForMcp, sendMcp } from "../../support/mcp.ts";

const issuer = "http://localhost:9000";

describe("The MCP server of a lab (Model Context Protocol, 2026-07-28)", () => {
  it("leads a client without a token to its metadata, and to a first scope", async () => {
    await using lab = await hallpass({ issuer });
    const { status, challenge } = await sendMcp(lab);
    assertEquals(status, 401);
    assertStringIncludes(challenge, `scope="read"`);
    const url = `${issuer}/.well-known/oauth-protected-resource/mcp`;
    assertStringIncludes(challenge, `resource_metadata="${url}"`);
  });

  for (const path of ["/mcp", ""]) {
    it(`has its metadata at /.well-known/oauth-protected-resource${path}`, async () => {
      await using lab = await hallpass({ issuer });
      const url = `${issuer}/.well-known/oauth-protected-resource${path}`;
      const metadata = await (await lab.fetch(url)).json();
      assertEquals(metadata.resource, `${issuer}/mcp`);
      assertEquals(metadata.authorization_servers, [issuer]);
      assertEquals(metadata.scopes_supported, ["read", "write"]);
      assertEquals(
        (await lab.fetch(`${issuer}/.well-known/oauth-protected-resource/api`)).status,
        404,
      );
    });
  }

  it("tells nobody without a token whether a message is malformed", async () => {
    await using lab = await hallpass({ issuer });
    for (const body of ["", "[]", "{", "x".repeat(100_000)]) {
      assertEquals((await sendMcp(lab, { body })).status, 401);
    }
  });

  it("says who the token is about", async () => {
    await using lab = await hallpass({ issuer });
    const token = await mintForMcp(lab);
    const { status, json } = await callMcpTool(lab, "whoami", { token });
    assertEquals([status, json.result.structuredContent.subject], [200, "alice"]);
    assertEquals(json.result.resultType, "complete");
  });

  it("refuses a token for another audience, and one that has expired", async () => {
    await using lab = await hallpass({ issuer });
    const other = await lab.mint({ sub: "alice", scope: "read", audience: `${issuer}/api` });
    assertEquals((await sendMcp(lab, { token: other.access_token })).status, 401);
    const token = await mintForMcp(lab);
    lab.clock.advance("2h");
    const { status, challenge } = await sendMcp(lab, { token });
    assertEquals(status, 401);
    assertStringIncludes(challenge, `error="invalid_token"`);
  });

  it("asks a client to step up, and names the scope that is missing", async () => {
    await using lab = await hallpass({ issuer });
    const args = { text: "Call Bob" };
    const refused = await callMcpTool(lab, "write_note", { token: await mintForMcp(lab), args });
    assertEquals(refused.status, 403);
    assertMatch(refused.challenge, /^Bearer .*error="insufficient_scope".*, DPoP/);
    assertMatch(refused.challenge, /scope="write", resource_metadata=/);
    const token = await mintForMcp(lab, "read write");
    const { json } = await callMcpTool(lab, "write_note", { token, args });
    assertEquals(json.result.structuredContent.notes.at(-1), "Call Bob");
  });

  it("has a tool that needs a recent sign-in, and forgets what was written", async () => {
    await using lab = await hallpass({ issuer });
    const token = await mintForMcp(lab, "read write");
    assertEquals((await callMcpTool(lab, "approve_payment", { token })).status, 200);
    lab.clock.advance("10m");
    const { status, challenge } = await callMcpTool(lab, "approve_payment", { token });
    assertEquals(status, 401);
    assertMatch(challenge, /error="insufficient_user_authentication".*max_age="300"/);
    await callMcpTool(lab, "write_note", { token, args: { text: "x" } });
    const { json } = await callMcpTool(lab, "read_notes", { token });
    assertEquals(json.result.structuredContent.notes, ["Buy milk", "Read RFC 9700"]);
  });

  it("offers only tools whose scopes its users can grant", async () => {
    await using lab = await hallpass({ issuer, scopes: ["openid", "write"] });
    const { json } = await sendMcp(lab, { token: await mintForMcp(lab, "write") });
    const names = json.result.tools.map(({ name }: { name: string }) => name);
    assertEquals(names, ["whoami", "write_note", "approve_payment"]);
    assertEquals((await sendMcp(lab)).challenge.includes("scope="), false);
  });

  it("appears among the requests, and knows the lab's token for none of its own", async () => {
    await using lab = await hallpass({ issuer, labToken: "a-token-of-32-letters-and-digits" });
    assertEquals((await sendMcp(lab)).status, 401);
    const [request] = lab.requests({ path: "/mcp" });
    assertEquals([request?.method, request?.response?.status], ["POST", 401]);
    lab.assertClean({ refused: true });
  });
});

describe("The guard of the MCP server of a lab", () => {
  const refused: Array<[title: string, host: string, headers: Record<string, string>]> = [
    ["a host that may point here (DNS rebinding)", "rebound.example:9000", {}],
    ["a page of another site", "localhost:9000", { Origin: "https://evil.example" }],
    ["a page of another port", "localhost:9000", { Origin: "http://localhost:6274" }],
    ["a page without an origin", "localhost:9000", { Origin: "null" }],
  ];
  for (const [title, host, headers] of refused) {
    it(`refuses ${title}`, async () => {
      await using lab = openLab({ issuer });
      const { access_token } = await lab.mint({ sub: "alice", audience: `${issuer}/mcp` });
      const request = new Request(`http://${host}/mcp`, {
        method: "POST",
        headers: { ...headers, Authorization: `Bearer ${access_token}` },
        body: "{}",
      });
      assertEquals((await lab.fetch(request)).status, 403);
    });
  }

  it("admits a page of the lab", async () => {
    await using lab = await hallpass({ issuer });
    const token = await mintForMcp(lab);
    assertEquals((await sendMcp(lab, { token, headers: { Origin: issuer } })).status, 200);
  });
});
