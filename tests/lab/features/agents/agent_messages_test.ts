import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { freshTokens } from "../../../support/login.ts";
import { sendMcp, type SentMessage } from "../../../support/mcp.ts";
import { itReadsMessages, type McpRefusal } from "../../../support/mcp_messages.ts";
import { askAs, callAgentTool, openAgentLab } from "./agent_client.ts";

const it = itWith({ inLab: openAgentLab, inGuardedLab: openGuardedLab });

const path = "/lab/mcp";
const labToken = "0123456789abcdef";

function openGuardedLab(): Promise<TestLab> {
  return hallpass({ issuer: "http://localhost:9000", labToken });
}

const resource = (uri: string, name = uri): SentMessage => ({
  method: "resources/read",
  params: { uri },
  headers: { "Mcp-Name": name },
});

const refusals: Record<string, McpRefusal> = {
  "another resource in the header": [
    resource("hallpass://rules/code.found", "hallpass://flows/flow-1"),
    ...[400, -32020, "Mcp-Name"] as const,
  ],
  "a tool of the server that clients are tested with": [
    { method: "tools/call", params: { name: "whoami" } },
    ...[200, -32602, "Unknown tool: 'whoami'. Tools: "] as const,
  ],
  "an unknown resource": [
    resource("hallpass://flows/flow-9"),
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
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  itReadsMessages({ name: "hallpass", path, tool: "flows", capabilities }, refusals);

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

  it.inLab("reaches a tenant below its own path", async (lab) => {
    await lab.tenant({ id: "acme" });
    const call = { method: "tools/call", params: { name: "reset" } };
    const { json } = await sendMcp(lab, { path: "/t/acme/lab/mcp", ...call });
    assertStringIncludes(json.result.content[0].text, "/t/acme");
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
