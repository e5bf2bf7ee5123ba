import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { freshTokens } from "../../../support/login.ts";
import { sendMcp, type SentMessage } from "../../../support/mcp.ts";
import { askAs, callAgentTool, openAgentLab } from "./agent_client.ts";

const it = itWith({ inLab: openAgentLab, inGuardedLab: openGuardedLab });

const path = "/lab/mcp";
const labToken = "0123456789abcdef";
const legacy = { version: "2025-11-25" };
const call = "tools/call";
const bare = (members: object) => JSON.stringify({ jsonrpc: "2.0", id: 7, ...members });

function openGuardedLab(): Promise<TestLab> {
  return hallpass({ issuer: "http://localhost:9000", labToken });
}

/** What is sent, and the status, the code and a part of the message of the refusal. */
const refusals: Record<string, [sent: SentMessage, status: number, code: number, says: string]> = {
  "a message without a method": [{ body: bare({}) }, 400, -32600, "one JSON-RPC"],
  "an empty body": [{ body: "" }, 400, -32700, "not JSON"],
  "half a message": [{ body: '{"jsonrpc":' }, 400, -32700, "not JSON"],
  "a list of messages": [{ body: `[${bare({ method: "ping" })}]` }, 400, -32600, "one JSON-RPC"],
  "the body of a form": [
    { headers: { "Content-Type": "text/plain" } },
    ...[415, -32600, "application/json"] as const,
  ],
  "no revision": [
    { body: bare({ method: "ping" }), headers: { "MCP-Protocol-Version": "1900-01-01" } },
    ...[400, -32022, "Unsupported"] as const,
  ],
  "another resource in the header": [
    {
      method: "resources/read",
      params: { uri: "hallpass://rules/code.found" },
      headers: { "Mcp-Name": "hallpass://flows/flow-1" },
    },
    ...[400, -32020, "Mcp-Name"] as const,
  ],
  "an unknown method": [{ method: "tools/remove" }, 404, -32601, "tools/call"],
  "an unknown tool": [
    { method: call, params: { name: "rm" } },
    ...[200, -32602, "Unknown tool: 'rm'. Tools: "] as const,
  ],
  "a tool of the server that clients are tested with": [
    { method: call, params: { name: "whoami" } },
    ...[200, -32602, "Unknown tool"] as const,
  ],
  "arguments that are a list": [
    { method: call, params: { name: "flows", arguments: [] } },
    ...[200, -32602, "'arguments'"] as const,
  ],
  "an unknown resource": [
    {
      method: "resources/read",
      params: { uri: "hallpass://flows/flow-9" },
      headers: { "Mcp-Name": "hallpass://flows/flow-9" },
    },
    ...[200, -32602, "hallpass://guides/testing-a-client"] as const,
  ],
  "an unknown prompt": [
    { method: "prompts/get", params: { name: "sing" } },
    ...[200, -32602, "debug_my_sign_in"] as const,
  ],
};

/** Requests that the guard of /lab refuses, with the status. */
const guarded: Record<string, [sent: SentMessage, status: number]> = {
  "a page of another origin": [{ headers: { Origin: "https://evil.example" } }, 403],
  "a request without the token of the lab": [{}, 401],
  "a request with a wrong token": [{ token: "fedcba9876543210" }, 401],
};

describe("A message of an agent", () => {
  for (const [title, [sent, status, code, says]] of Object.entries(refusals)) {
    it.inLab(`is refused if it is or has ${title}`, async (lab) => {
      const reply = await sendMcp(lab, { path, ...sent });
      assertEquals([reply.status, reply.json.error.code], [status, code]);
      assertStringIncludes(reply.json.error.message, says);
      // JSON-RPC 2.0, section 5: null if the id could not be read.
      const isUnread = [-32700, -32600].includes(code);
      assertEquals(reply.json.id === null, isUnread);
    });
  }

  for (const [title, [sent, status]] of Object.entries(guarded)) {
    it.inGuardedLab(`is refused if it is ${title}`, async (lab) => {
      const { status: refused, json } = await sendMcp(lab, { path, ...sent });
      assertEquals([refused, json.error], [status, "access_denied"]);
    });
  }

  it.inGuardedLab("is answered with the token of the lab", async (lab) => {
    assertEquals((await sendMcp(lab, { path, token: labToken })).status, 200);
  });

  it.inLab("is refused at a foreign host, which a page could point at this machine", async (lab) => {
    const request = new Request("http://evil.example/lab/mcp", { method: "POST" });
    await assertRejects(() => lab.fetch(request), Error, "evil.example");
  });

  it.inLab("is sent by POST alone: there are neither streams nor sessions", async (lab) => {
    for (const method of ["GET", "DELETE"]) {
      const headers = { Accept: "text/event-stream" };
      const response = await lab.fetch(`${lab.issuer}${path}`, { method, headers });
      assertEquals([response.status, response.headers.get("Allow")], [405, "POST"]);
    }
  });

  for (const version of ["2025-11-25", "2025-06-18"]) {
    it.inLab(`may be of ${version}, which begins with a handshake`, async (lab) => {
      const params = { protocolVersion: version };
      const begun = await sendMcp(lab, { path, body: bare({ method: "initialize", params }) });
      assertEquals(begun.json.result.protocolVersion, version);
      assertEquals(begun.json.result.capabilities, { tools: {}, resources: {}, prompts: {} });
      const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
      assertEquals((await sendMcp(lab, { path, body, version })).status, 202);
    });
  }

  it.inLab("gets no body if it is a notification, refused or not", async (lab) => {
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    for (const [version, expected] of [["2025-11-25", 202], ["1900-01-01", 400]] as const) {
      const { status, json } = await sendMcp(lab, { path, body, version });
      assertEquals([status, json], [expected, undefined]);
    }
  });

  it.inLab("is told which revision to send, if it names none", async (lab) => {
    const headers = { "Content-Type": "application/json" };
    const body = bare({ method: "ping" });
    const response = await lab.fetch(`${lab.issuer}${path}`, { method: "POST", headers, body });
    const { error } = await response.json();
    assertEquals(
      error.message,
      "The header MCP-Protocol-Version is missing: send the negotiated one, of " +
        "2026-07-28, 2025-11-25, 2025-06-18.",
    );
  });

  it.inLab("discovers the lab without a handshake", async (lab) => {
    const { supportedVersions, ttlMs } = await askAs(lab, "server/discover");
    assertEquals([supportedVersions[0], ttlMs], ["2026-07-28", 0]);
  });

  it.inLab("reaches a tenant below its own path", async (lab) => {
    await lab.tenant({ id: "acme" });
    const reply = await sendMcp(lab, {
      path: "/t/acme/lab/mcp",
      ...legacy,
      body: bare({ method: call, params: { name: "reset" } }),
    });
    assertStringIncludes(reply.json.result.content[0].text, "/t/acme");
  });

  it.inLab("leaves no trace in what is recorded of clients", async (lab) => {
    await askAs(lab, "tools/list");
    assertEquals([lab.requests().length, lab.flows().length], [0, 0]);
  });
});

describe("What an agent can read", () => {
  it.inLab("is each guide", async (lab) => {
    const { resources } = await askAs(lab, "resources/list");
    for (const { uri } of resources) {
      const { contents: [guide] } = await askAs(lab, "resources/read", { uri });
      assertStringIncludes(guide.text, "# ");
    }
    assertEquals(resources.length, 3);
  });

  it.inLab("is each flow as a Mermaid diagram, and each rule", async (lab) => {
    await freshTokens(lab);
    const { resources } = await askAs(lab, "resources/list");
    assertEquals(resources.at(-1).uri, "hallpass://flows/flow-1");
    const read = async (uri: string) =>
      (await askAs(lab, "resources/read", { uri })).contents[0].text;
    assertStringIncludes(await read("hallpass://flows/flow-1"), "sequenceDiagram");
    assertStringIncludes(await read("hallpass://rules/code.redirect_uri"), "section: ");
    assertEquals((await askAs(lab, "resources/templates/list")).resourceTemplates.length, 2);
  });

  it.inLab("is a prompt that names only tools that there are", async (lab) => {
    const { prompts: [prompt] } = await askAs(lab, "prompts/list");
    const args = { problem: "It says 500." };
    const { messages } = await askAs(lab, "prompts/get", { name: prompt.name, arguments: args });
    assertStringIncludes(messages[0].content.text, args.problem);
  });
});

describe("Two agents at one lab", () => {
  it.inLab("see what the other one did", async (lab) => {
    await Promise.all([
      callAgentTool(lab, "register_client", { id: "one", kind: "machine" }),
      callAgentTool(lab, "register_client", { id: "two", kind: "machine" }),
    ]);
    const ids = lab.clients.list().map(({ id }) => id);
    assertEquals([ids.includes("one"), ids.includes("two")], [true, true]);
  });
});
