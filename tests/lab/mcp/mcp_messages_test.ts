import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass } from "../../../src/lab/testing/mod.ts";
import { mintForMcp, sendMcp, type SentMessage } from "../../support/mcp.ts";

const issuer = "http://localhost:9000";
const legacy = { version: "2025-11-25" };
const call = "tools/call";
const whoami = { name: "whoami" };
const bare = (members: object) => JSON.stringify({ jsonrpc: "2.0", id: 7, ...members });

interface Refused extends SentMessage {
  status: number;
  code: number;
  says: string;
}

const refusals: Record<string, Refused> = {
  "a body that is not JSON": { body: "{", status: 400, code: -32700, says: "not JSON" },
  "a batch": { body: "[]", status: 400, code: -32600, says: "one JSON-RPC" },
  "a response": { body: bare({ result: {} }), status: 400, code: -32600, says: "one JSON-RPC" },
  "another version of JSON-RPC": {
    body: JSON.stringify({ jsonrpc: "1.0", id: 1, method: "ping" }),
    status: 400,
    code: -32600,
    says: "one JSON-RPC",
  },
  "an id that is null": {
    body: JSON.stringify({ jsonrpc: "2.0", id: null, method: "ping" }),
    status: 400,
    code: -32600,
    says: "'id'",
  },
  "params that are a list": {
    body: bare({ method: "tools/list", params: [] }),
    status: 400,
    code: -32600,
    says: "'params'",
  },
  "a body that is too large": {
    body: bare({ method: "ping", params: { text: "x".repeat(70_000) } }),
    status: 413,
    code: -32600,
    says: "64 kB",
  },
  "a body of another type": {
    headers: { "Content-Type": "text/plain" },
    status: 415,
    code: -32600,
    says: "application/json",
  },
  "a client that accepts JSON alone": {
    headers: { Accept: "application/json" },
    status: 406,
    code: -32600,
    says: "text/event-stream",
  },
  "an unknown revision": { version: "1900-01-01", status: 400, code: -32022, says: "Unsupported" },
  "a request without '_meta'": {
    params: { _meta: {} },
    status: 400,
    code: -32602,
    says: "io.modelcontextprotocol/clientCapabilities",
  },
  "another revision in the header than in the body": {
    ...legacy,
    headers: { "MCP-Protocol-Version": "2026-07-28" },
    status: 400,
    code: -32020,
    says: "MCP-Protocol-Version",
  },
  "another method in the header": {
    headers: { "Mcp-Method": "ping" },
    status: 400,
    code: -32020,
    says: "Mcp-Method is 'ping', but the body has 'tools/list'",
  },
  "another tool in the header": {
    method: call,
    params: whoami,
    headers: { "Mcp-Name": "write_note" },
    status: 400,
    code: -32020,
    says: "Mcp-Name",
  },
  "a tool in the header that is no Base64": {
    method: call,
    params: whoami,
    headers: { "Mcp-Name": "=?base64?***?=" },
    status: 400,
    code: -32020,
    says: "Base64",
  },
  "an unknown method": { method: "ping", status: 404, code: -32601, says: "tools/list" },
  "an unknown tool": {
    method: call,
    params: { name: "rm" },
    status: 200,
    code: -32602,
    says: "Unknown tool: 'rm'",
  },
  "arguments that are a list": {
    method: call,
    params: { ...whoami, arguments: [] },
    status: 200,
    code: -32602,
    says: "'arguments'",
  },
};

describe("A message to the MCP server of a lab", () => {
  for (const [title, { status, code, says, ...sent }] of Object.entries(refusals)) {
    it(`is refused if it is or has ${title}`, async () => {
      await using lab = await hallpass({ issuer });
      const reply = await sendMcp(lab, { ...sent, token: await mintForMcp(lab) });
      assertEquals([reply.status, reply.json.error.code], [status, code]);
      assertStringIncludes(reply.json.error.message, says);
    });
  }

  it("names the revisions to a client that knows another one", async () => {
    await using lab = await hallpass({ issuer });
    const { json } = await sendMcp(lab, { version: "2030-01-01", token: await mintForMcp(lab) });
    assertEquals(json.error.data, {
      supported: ["2026-07-28", "2025-11-25", "2025-06-18"],
      requested: "2030-01-01",
    });
  });

  it("may name its tool in Base64", async () => {
    await using lab = await hallpass({ issuer });
    const headers = { "Mcp-Name": `=?base64?${btoa("whoami")}?=` };
    const token = await mintForMcp(lab);
    assertEquals(
      (await sendMcp(lab, { method: call, params: whoami, headers, token })).status,
      200,
    );
  });

  it("discovers the server", async () => {
    await using lab = await hallpass({ issuer });
    const token = await mintForMcp(lab);
    const { json: { result } } = await sendMcp(lab, { method: "server/discover", token });
    assertEquals(result.supportedVersions[0], "2026-07-28");
    assertEquals([result.ttlMs, result.cacheScope], [0, "private"]);
    assertEquals(result._meta["io.modelcontextprotocol/serverInfo"].name, "hallpass-lab");
  });

  it("gets no body if it is a notification", async () => {
    await using lab = await hallpass({ issuer });
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    const reply = await sendMcp(lab, { body, token: await mintForMcp(lab), ...legacy });
    assertEquals([reply.status, reply.json], [202, undefined]);
  });

  for (const method of ["GET", "DELETE"]) {
    it(`is not sent by ${method}: there are neither streams nor sessions`, async () => {
      await using lab = await hallpass({ issuer });
      const response = await lab.fetch(`${issuer}/mcp`, { method });
      assertEquals([response.status, response.headers.get("Allow")], [405, "POST"]);
    });
  }
});

describe("A client of an earlier revision", () => {
  const versions: Array<[asked: string, answered: string]> = [
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2024-11-05", "2025-11-25"],
  ];
  for (const [asked, answered] of versions) {
    it(`that asks for ${asked} gets ${answered}, and no session`, async () => {
      await using lab = await hallpass({ issuer });
      const body = bare({ method: "initialize", params: { protocolVersion: asked } });
      const { json, headers } = await sendMcp(lab, { body, token: await mintForMcp(lab) });
      assertEquals(json.result.protocolVersion, answered);
      assertEquals(headers.has("Mcp-Session-Id"), false);
    });
  }

  it("pings, lists tools and learns with the status 200 that a method is unknown", async () => {
    await using lab = await hallpass({ issuer });
    const token = await mintForMcp(lab);
    const send = (method: string) => sendMcp(lab, { ...legacy, token, body: bare({ method }) });
    assertEquals((await send("ping")).json, { jsonrpc: "2.0", id: 7, result: {} });
    assertEquals((await send("tools/list")).json.result.tools.length, 4);
    const unknown = await send("prompts/list");
    assertEquals([unknown.status, unknown.json.error.code], [200, -32601]);
  });
});
