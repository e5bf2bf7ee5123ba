import { assertEquals, assertStringIncludes } from "@std/assert";
import { hallpass, type TestLab } from "../../src/lab/testing/mod.ts";
import { itWith } from "./it_with.ts";
import { sendMcp, type SentMessage } from "./mcp.ts";

/** A server of the Model Context Protocol in a lab. */
interface McpServer {
  name: string;
  path: string;
  /** A tool that needs no arguments. */
  tool: string;
  capabilities: object;
  /** Returns the token that it requires, if it does. */
  token?(lab: TestLab): Promise<string>;
}

/** What is sent, and the status, the code and a part of the message of the refusal. */
export type McpRefusal = [sent: SentMessage, status: number, code: number, says: string];

const legacy = { version: "2025-11-25" };
const call = "tools/call";
const revisions = ["2026-07-28", "2025-11-25", "2025-06-18"];

/** Returns a message as JSON. */
export const bare = (members: object) => JSON.stringify({ jsonrpc: "2.0", id: 7, ...members });

const notification = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

function refusalsBy(tool: string): Record<string, McpRefusal> {
  const params = { name: tool };
  const notJson: Array<[string, McpRefusal]> = ["", "{", '{"jsonrpc":'].map((body) => [
    `the body '${body}'`,
    [{ body }, 400, -32700, "not JSON"],
  ]);
  const notOne: Array<[string, McpRefusal]> = [
    "[]",
    `[${bare({ method: "ping" })}]`,
    bare({ result: {} }),
    bare({}),
    bare({ jsonrpc: "1.0", method: "ping" }),
  ].map((body) => [`the message ${body}`, [{ body }, 400, -32600, "one JSON-RPC"]]);
  const large = { body: bare({ method: "ping", params: { text: "x".repeat(70_000) } }) };
  const plain = { headers: { "Content-Type": "text/plain" } };
  const otherRevision = { ...legacy, headers: { "MCP-Protocol-Version": "2026-07-28" } };
  const named = (name: string) => ({ method: call, params, headers: { "Mcp-Name": name } });
  const noId = { body: bare({ id: null, method: "ping" }) };
  const listed = { body: bare({ method: "tools/list", params: [] }) };
  return {
    ...Object.fromEntries([...notJson, ...notOne]),
    "an id that is null": [noId, 400, -32600, "'id'"],
    "params that are a list": [listed, 400, -32600, "'params'"],
    "a body that is too large": [large, 413, -32600, "64 kB"],
    "a body of another type": [plain, 415, -32600, "application/json"],
    "an unknown revision": [{ version: "1900-01-01" }, 400, -32022, "Unsupported"],
    "a request without '_meta'": [
      { params: { _meta: {} } },
      ...[400, -32602, "io.modelcontextprotocol/clientCapabilities"] as const,
    ],
    "another revision in the header than in the body": [
      otherRevision,
      ...[400, -32020, "MCP-Protocol-Version"] as const,
    ],
    "another method in the header": [
      { headers: { "Mcp-Method": "ping" } },
      ...[400, -32020, "Mcp-Method is 'ping', but the body has 'tools/list'"] as const,
    ],
    "another tool in the header": [named("other"), 400, -32020, "Mcp-Name"],
    "a tool in the header that is no Base64": [named("=?base64?***?="), 400, -32020, "Base64"],
    "an unknown method": [{ method: "tools/remove" }, 404, -32601, "tools/list"],
    "an unknown tool": [
      { method: call, params: { name: "rm" } },
      ...[200, -32602, "Unknown tool: 'rm'"] as const,
    ],
    "arguments that are a list": [
      { method: call, params: { ...params, arguments: [] } },
      ...[200, -32602, "'arguments'"] as const,
    ],
  };
}

/** Adds tests of what a server makes of messages, whatever its tools are, and of further refusals. */
export function itReadsMessages(
  { name, path, tool, capabilities, token = async () => undefined! }: McpServer,
  refusals: Record<string, McpRefusal> = {},
): void {
  const it = itWith({ inLab: () => hallpass({ issuer: "http://localhost:9000" }) });
  const send = async (lab: TestLab, sent: SentMessage) =>
    await sendMcp(lab, { path, token: await token(lab), ...sent });

  for (const [title, row] of Object.entries({ ...refusalsBy(tool), ...refusals })) {
    it.inLab(`is refused if it is or has ${title}`, async (lab) => {
      const [sent, status, code, says] = row;
      const { status: got, json } = await send(lab, sent);
      assertEquals([got, json.error.code], [status, code]);
      assertStringIncludes(json.error.message, says);
      // JSON-RPC 2.0, section 5: null if the id could not be read.
      assertEquals(json.id === null, [-32700, -32600].includes(code));
    });
  }

  it.inLab("names the revisions to a client that knows another one, or sends none", async (lab) => {
    const { json } = await send(lab, { version: "2030-01-01" });
    assertEquals(json.error.data, { supported: revisions, requested: "2030-01-01" });
    const headers = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      Authorization: `Bearer ${await token(lab)}`,
    };
    const init = { method: "POST", headers, body: bare({ method: "ping" }) };
    const { error } = await (await lab.fetch(`${lab.issuer}${path}`, init)).json();
    assertStringIncludes(error.message, `send the negotiated one, of ${revisions.join(", ")}.`);
  });

  it.inLab("may name its tool in Base64", async (lab) => {
    const headers = { "Mcp-Name": `=?base64?${btoa(tool)}?=` };
    const { status } = await send(lab, { method: call, params: { name: tool }, headers });
    assertEquals(status, 200);
  });

  it.inLab("discovers the server", async (lab) => {
    const { json: { result } } = await send(lab, { method: "server/discover" });
    assertEquals(result.supportedVersions, revisions);
    assertEquals([result.ttlMs, result.cacheScope], [0, "private"]);
    assertEquals(result._meta["io.modelcontextprotocol/serverInfo"].name, name);
  });

  it.inLab("gets no body if it is a notification, refused or not", async (lab) => {
    for (const [version, expected] of [["2025-11-25", 202], ["1900-01-01", 400]] as const) {
      const { status, json } = await send(lab, { body: notification, version });
      assertEquals([status, json], [expected, undefined]);
    }
  });

  for (const method of ["GET", "DELETE"]) {
    it.inLab(`is not sent by ${method}: there are neither streams nor sessions`, async (lab) => {
      const headers = { Accept: "text/event-stream" };
      const response = await lab.fetch(`${lab.issuer}${path}`, { method, headers });
      assertEquals([response.status, response.headers.get("Allow")], [405, "POST"]);
    });
  }

  const versions: Array<[asked: string, answered: string]> = [
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2024-11-05", "2025-11-25"],
  ];
  for (const [protocolVersion, answered] of versions) {
    it.inLab(`that begins with a handshake of ${protocolVersion} gets ${answered}, and no session`, async (lab) => {
      const body = bare({ method: "initialize", params: { protocolVersion } });
      const { json, headers } = await send(lab, { body });
      assertEquals(json.result.protocolVersion, answered);
      assertEquals(json.result.capabilities, capabilities);
      assertEquals(headers.has("Mcp-Session-Id"), false);
    });
  }

  it.inLab("of an earlier revision pings, and learns with the status 200 that a method is unknown", async (lab) => {
    const ping = await send(lab, { ...legacy, body: bare({ method: "ping" }) });
    assertEquals(ping.json, { jsonrpc: "2.0", id: 7, result: {} });
    const unknown = await send(lab, { ...legacy, body: bare({ method: "tools/remove" }) });
    assertEquals([unknown.status, unknown.json.error.code], [200, -32601]);
  });
}
