import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { type ClientConfig, hallpass } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { callMcpTool, mintForMcp, sendMcp } from "../../../support/mcp.ts";
import { itReadsMessages } from "../../../support/mcp_messages.ts";
import { assertClean } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";

const it = itWith({ inLab: () => hallpass({ issuer }) });

const issuer = "http://localhost:9000";
const opaqueClient: ClientConfig = {
  id: "opaque",
  secret: "s",
  redirectUris: ["http://localhost/callback"],
  accessTokenFormat: "opaque",
};

describe("The MCP server of a lab (Model Context Protocol, 2026-07-28)", () => {
  it.inLab("leads a client without a token to its metadata, and to a first scope", async (lab) => {
    const { status, challenge } = await sendMcp(lab);
    assertEquals(status, 401);
    assertStringIncludes(challenge, `scope="read"`);
    const url = `${issuer}/.well-known/oauth-protected-resource/mcp`;
    assertStringIncludes(challenge, `resource_metadata="${url}"`);
  });

  for (const path of ["/mcp", ""]) {
    it.inLab(`has its metadata at /.well-known/oauth-protected-resource${path}`, async (lab) => {
      const url = `${issuer}/.well-known/oauth-protected-resource${path}`;
      const metadata = await (await lab.fetch(url)).json();
      assertEquals(metadata.resource, `${issuer}/mcp`);
      assertEquals(metadata.authorization_servers, [issuer]);
      assertEquals(metadata.scopes_supported, ["read", "write"]);
      const other = await lab.fetch(`${issuer}/.well-known/oauth-protected-resource/api`);
      assertEquals(other.status, 404);
    });
  }

  it.inLab("tells nobody without a token whether a message is malformed", async (lab) => {
    for (const body of ["", "[]", "{", "x".repeat(100_000)]) {
      assertEquals((await sendMcp(lab, { body })).status, 401);
    }
  });

  it.inLab("says who the token is about", async (lab) => {
    const token = await mintForMcp(lab);
    const { status, json } = await callMcpTool(lab, "whoami", { token });
    assertEquals([status, json.result.structuredContent.subject], [200, "alice"]);
    assertEquals(json.result.resultType, "complete");
  });

  it.inLab("refuses a token for another audience, and one that has expired", async (lab) => {
    const other = await lab.mint({ sub: "alice", scope: "read", audience: `${issuer}/api` });
    assertEquals((await sendMcp(lab, { token: other.access_token })).status, 401);
    const token = await mintForMcp(lab);
    lab.clock.advance("2h");
    const { status, challenge } = await sendMcp(lab, { token });
    assertEquals(status, 401);
    assertStringIncludes(challenge, `error="invalid_token"`);
  });

  it("refuses a token that was revoked, and knows opaque ones", async () => {
    await using lab = await hallpass({ issuer, clients: [opaqueClient] });
    const { access_token: token, refresh_token } = await lab.mint({
      sub: "alice",
      client: "opaque",
      scope: "read offline_access",
      audience: `${issuer}/mcp`,
    });
    assertEquals(token.split(".").length, 1);
    assertEquals((await callMcpTool(lab, "read_notes", { token })).status, 200);
    for (const other of [refresh_token, `${token}x`]) {
      assertEquals((await sendMcp(lab, { token: other })).status, 401);
    }
    const opaque = testClient({ client_id: "opaque", client_secret: "s" });
    assertEquals((await opaque.revoke(lab, token)).status, 200);
    const { status, challenge } = await sendMcp(lab, { token });
    assertEquals(status, 401);
    assertStringIncludes(challenge, `error="invalid_token"`);
  });

  it.inLab("refuses a JWT that was revoked", async (lab) => {
    const minted = await lab.mint({ sub: "alice", client: "demo-spa", audience: `${issuer}/mcp` });
    assertEquals((await sendMcp(lab, { token: minted.access_token })).status, 200);
    await testClient().revoke(lab, minted.access_token);
    assertEquals((await sendMcp(lab, { token: minted.access_token })).status, 401);
  });

  it.inLab("asks a client to step up, and names the scope that is missing", async (lab) => {
    const args = { text: "Call Bob" };
    const refused = await callMcpTool(lab, "write_note", { token: await mintForMcp(lab), args });
    assertEquals(refused.status, 403);
    assertMatch(refused.challenge, /^Bearer .*error="insufficient_scope".*, DPoP/);
    assertMatch(refused.challenge, /scope="write", resource_metadata=/);
    const token = await mintForMcp(lab, "read write");
    const { json } = await callMcpTool(lab, "write_note", { token, args });
    assertEquals(json.result.structuredContent.notes.at(-1), "Call Bob");
  });

  it.inLab("has a tool that needs a recent sign-in, and forgets what was written", async (lab) => {
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
    assertClean(lab, { refused: true });
  });
});

describe("The guard of the MCP server of a lab", () => {
  const refused: Array<[title: string, host: string, headers: Record<string, string>]> = [
    ["a host that may point here (DNS rebinding)", "rebound.example:9000", {}],
    ["a page of another site", "localhost:9000", { Origin: "https://evil.example" }],
    ["a page whose host only looks local", "localhost:9000", {
      Origin: "http://localhost.evil.example",
    }],
    ["a page of another program on this machine", "rebound.example:9000", {
      Origin: "http://localhost:6274",
    }],
    ["what is no origin", "localhost:9000", { Origin: "http://localhost:6274/" }],
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

  const admitted = {
    "the lab": issuer,
    "the Inspector": "http://localhost:6274",
    "a program on this machine": "http://127.0.0.1:3000",
    "a program with a name": "https://app.localhost",
  };
  for (const [whose, origin] of Object.entries(admitted)) {
    it.inLab(`admits a page of ${whose}, whose scripts may read the response`, async (lab) => {
      const headers = { Origin: origin };
      const sent = await sendMcp(lab, { token: await mintForMcp(lab), headers });
      assertEquals([sent.status, sent.headers.get("Access-Control-Allow-Origin")], [200, "*"]);
      const challenge = await sendMcp(lab, { headers });
      assertMatch(challenge.headers.get("Access-Control-Expose-Headers") ?? "", /WWW-Authenticate/);
    });
  }

  it.inLab("lets a browser ask first, for the headers that clients send", async (lab) => {
    const ask = async (origin: string) =>
      await lab.fetch(`${issuer}/mcp`, {
        method: "OPTIONS",
        headers: {
          Origin: origin,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "authorization,mcp-method,mcp-name",
        },
      });
    const allowed = await ask("http://localhost:6274");
    assertEquals(allowed.status, 204);
    assertMatch(allowed.headers.get("Access-Control-Allow-Headers") ?? "", /mcp-method, mcp-name/);
    const refused = await ask("https://evil.example");
    assertEquals([refused.status, refused.headers.get("Access-Control-Allow-Origin")], [403, null]);
  });

  it.inLab("admits no page of another program to the interface of the lab", async (lab) => {
    const headers = { Origin: "http://localhost:6274" };
    assertEquals((await lab.fetch(`${issuer}/lab/requests`, { headers })).status, 403);
  });
});

describe("A message to the MCP server of a lab", () => {
  const place = { name: "hallpass-lab", path: "/mcp", tool: "whoami" };
  itReadsMessages({ ...place, capabilities: { tools: {} }, token: mintForMcp }, {
    "a client that accepts JSON alone": [
      { headers: { Accept: "application/json" } },
      ...[406, -32600, "text/event-stream"] as const,
    ],
  });
});
