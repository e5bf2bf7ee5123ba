import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { mintForMcp, sendMcp, type SentMessage } from "../../../support/mcp.ts";

const it = itWith({ inLab: () => hallpass({ issuer }) });

const issuer = "http://localhost:9000";
const legacy = { version: "2025-11-25" };
const call = "tools/call";
const whoami = { name: "whoami" };
const bare = (members: object) => JSON.stringify({ jsonrpc: "2.0", id: 7, ...members });

/** What is sent, and the status, the code and a part of the message of the refusal. */
const refusals: Record<string, [sent: SentMessage, status: number, code: number, says: string]> = {
  "a body that is not JSON": [{ body: "{" }, 400, -32700, "not JSON"],
  "a batch": [{ body: "[]" }, 400, -32600, "one JSON-RPC"],
  "a response": [{ body: bare({ result: {} }) }, 400, -32600, "one JSON-RPC"],
  "another version of JSON-RPC": [
    { body: bare({ jsonrpc: "1.0", method: "ping" }) },
    ...[400, -32600, "one JSON-RPC"] as const,
  ],
  "an id that is null": [{ body: bare({ id: null, method: "ping" }) }, 400, -32600, "'id'"],
  "params that are a list": [
    { body: bare({ method: "tools/list", params: [] }) },
    ...[400, -32600, "'params'"] as const,
  ],
  "a body that is too large": [
    { body: bare({ method: "ping", params: { text: "x".repeat(70_000) } }) },
    ...[413, -32600, "64 kB"] as const,
  ],
  "a body of another type": [
    { headers: { "Content-Type": "text/plain" } },
    ...[415, -32600, "application/json"] as const,
  ],
  "a client that accepts JSON alone": [
    { headers: { Accept: "application/json" } },
    ...[406, -32600, "text/event-stream"] as const,
  ],
  "an unknown revision": [{ version: "1900-01-01" }, 400, -32022, "Unsupported"],
  "a request without '_meta'": [
    { params: { _meta: {} } },
    ...[400, -32602, "io.modelcontextprotocol/clientCapabilities"] as const,
  ],
  "another revision in the header than in the body": [
    { ...legacy, headers: { "MCP-Protocol-Version": "2026-07-28" } },
    ...[400, -32020, "MCP-Protocol-Version"] as const,
  ],
  "another method in the header": [
    { headers: { "Mcp-Method": "ping" } },
    ...[400, -32020, "Mcp-Method is 'ping', but the body has 'tools/list'"] as const,
  ],
  "another tool in the header": [
    { method: call, params: whoami, headers: { "Mcp-Name": "write_note" } },
    ...[400, -32020, "Mcp-Name"] as const,
  ],
  "a tool in the header that is no Base64": [
    { method: call, params: whoami, headers: { "Mcp-Name": "=?base64?***?=" } },
    ...[400, -32020, "Base64"] as const,
  ],
  "an unknown method": [{ method: "ping" }, 404, -32601, "tools/list"],
  "an unknown tool": [
    { method: call, params: { name: "rm" } },
    ...[200, -32602, "Unknown tool: 'rm'"] as const,
  ],
  "arguments that are a list": [
    { method: call, params: { ...whoami, arguments: [] } },
    ...[200, -32602, "'arguments'"] as const,
  ],
};

describe("A message to the MCP server of a lab", () => {
  for (const [title, [sent, status, code, says]] of Object.entries(refusals)) {
    it.inLab(`is refused if it is or has ${title}`, async (lab) => {
      const reply = await sendMcp(lab, { ...sent, token: await mintForMcp(lab) });
      assertEquals([reply.status, reply.json.error.code], [status, code]);
      assertStringIncludes(reply.json.error.message, says);
    });
  }

  it.inLab("names the revisions to a client that knows another one", async (lab) => {
    const { json } = await sendMcp(lab, { version: "2030-01-01", token: await mintForMcp(lab) });
    assertEquals(json.error.data, {
      supported: ["2026-07-28", "2025-11-25", "2025-06-18"],
      requested: "2030-01-01",
    });
  });

  it.inLab("may name its tool in Base64", async (lab) => {
    const headers = { "Mcp-Name": `=?base64?${btoa("whoami")}?=` };
    const token = await mintForMcp(lab);
    assertEquals(
      (await sendMcp(lab, { method: call, params: whoami, headers, token })).status,
      200,
    );
  });

  it.inLab("discovers the server", async (lab) => {
    const token = await mintForMcp(lab);
    const { json: { result } } = await sendMcp(lab, { method: "server/discover", token });
    assertEquals(result.supportedVersions[0], "2026-07-28");
    assertEquals([result.ttlMs, result.cacheScope], [0, "private"]);
    assertEquals(result._meta["io.modelcontextprotocol/serverInfo"].name, "hallpass-lab");
  });

  it.inLab("gets no body if it is a notification", async (lab) => {
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    const reply = await sendMcp(lab, { body, token: await mintForMcp(lab), ...legacy });
    assertEquals([reply.status, reply.json], [202, undefined]);
    const refused = await sendMcp(lab, { body, token: await mintForMcp(lab), version: "1900" });
    assertEquals([refused.status, refused.json], [400, undefined]);
  });

  for (const method of ["GET", "DELETE"]) {
    it.inLab(`is not sent by ${method}: there are neither streams nor sessions`, async (lab) => {
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
    it.inLab(`that asks for ${asked} gets ${answered}, and no session`, async (lab) => {
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
