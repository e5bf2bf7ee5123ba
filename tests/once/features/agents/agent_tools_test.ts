import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import process from "node:process";
import { describe, it } from "node:test";
import { agentTools } from "../../../../src/lab/features/agents/agent_tools.ts";
import { operations } from "../../../../src/lab/routes/operation_table.ts";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { openDrilledLab, origin } from "../../../support/drilled_application.ts";
import { commandFor } from "../../../support/program.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

const info = { name: "agent", version: "1.0.0" };
const [command = "", ...args] = commandFor("src/main.ts");
const program = { command, args: [...args, "mcp"], cwd: process.cwd(), stderr: "ignore" as const };

/** The ways in which an official SDK reaches a lab, with what it calls the revision. */
const overHttp: Record<string, (lab: TestLab) => Promise<Json>> = {
  async "the current SDK"(lab) {
    const client = new Client(info, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(...placeOf(lab)));
    assertEquals(client.getNegotiatedProtocolVersion(), "2026-07-28");
    return client;
  },
  async "the current SDK, as of 2025-11-25"(lab) {
    const client = new Client(info, { versionNegotiation: { mode: "legacy" } });
    await client.connect(new StreamableHTTPClientTransport(...placeOf(lab)));
    assertEquals(client.getNegotiatedProtocolVersion(), "2025-11-25");
    return client;
  },
  async "version 1 of the SDK"(lab) {
    const client = new FirstClient(info);
    await client.connect(new FirstHttp(...placeOf(lab)) as Json);
    return client;
  },
};

const overPipes: Record<string, () => Promise<Json>> = {
  async "the current SDK"() {
    const client = new Client(info, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StdioClientTransport(program));
    return client;
  },
  async "version 1 of the SDK"() {
    const client = new FirstClient(info);
    await client.connect(new FirstStdio(program) as Json);
    return client;
  },
};

function placeOf(lab: TestLab): [URL, { fetch: typeof fetch }] {
  return [new URL(`${lab.issuer}/lab/mcp`), { fetch: lab.fetch as typeof fetch }];
}

/** Does what an agent does: looks around, and calls tools. */
async function useTools(client: Json): Promise<void> {
  const { tools } = await client.listTools();
  assertEquals(tools.length, agentTools(operations).length);
  const called = async (name: string, args: object = {}) =>
    (await client.callTool({ name, arguments: args })) as Json;
  const { structuredContent } = await called("connect_app", { library: "Auth.js" });
  assertStringIncludes(structuredContent.lines, structuredContent.issuer);
  for (const name of ["flows", "explain", "report", "break", "clock", "reset"]) {
    assertEquals((await called(name)).isError, undefined, name);
  }
  assertEquals((await called("sign_in_as", { user: "eve" })).isError, true);
  await called("register_client", { id: "notes", redirectUris: ["http://localhost:1/callback"] });
  assertEquals(
    (await called("mint_token", { sub: "alice" })).structuredContent.token_type,
    "Bearer",
  );
  await assertRejects(() => client.callTool({ name: "rm" }), Error, "Unknown tool: 'rm'");
}

async function readAll(client: Json): Promise<void> {
  const { resources } = await client.listResources();
  assertEquals((await client.listResourceTemplates()).resourceTemplates.length, 2);
  const { contents } = await client.readResource({ uri: resources[0].uri });
  assertStringIncludes(contents[0].text, "# ");
  const { prompts } = await client.listPrompts();
  const { messages } = await client.getPrompt({ name: prompts[0].name });
  assertStringIncludes(messages[0].content.text, "explain");
}

describe("An agent with an official SDK", () => {
  for (const [what, connect] of Object.entries(overHttp)) {
    it(`uses a lab over HTTP: ${what}`, async () => {
      await using lab = await hallpass({ issuer: "http://localhost:9000" });
      const client = await connect(lab);
      await useTools(client);
      await readAll(client);
      await client.close();
    });

    it(`drills an application, and sees the progress: ${what}`, async () => {
      const { lab } = await openDrilledLab("careful", { issuer: "http://localhost:9000" });
      await using _ = lab;
      const client = await connect(lab);
      const steps: number[] = [];
      const only = ["id_token.wrong_nonce", "callback.wrong_state"];
      const call = { name: "drill_app", arguments: { start: `${origin}/`, only } };
      const options = { onprogress: ({ progress }: { progress: number }) => steps.push(progress) };
      const isFirst = client instanceof FirstClient;
      const { structuredContent } = isFirst
        ? await client.callTool(call, undefined, options) as Json
        : await client.callTool(call, options) as Json;
      assertEquals([structuredContent.clean, steps.at(-1)], [true, 2]);
      await client.close();
    });
  }

  for (const [what, connect] of Object.entries(overPipes)) {
    it(`starts hallpass mcp, and uses it over standard input and output: ${what}`, async () => {
      const client = await connect();
      await useTools(client);
      await readAll(client);
      await client.close();
    });
  }
});
