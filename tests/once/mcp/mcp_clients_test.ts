import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { itWith } from "../../support/it_with.ts";
import { asked, createClientStore, type KnownAs, signIn } from "./mcp_login.ts";

const it = itWith({ inLab: openLab });

const issuer = "http://localhost:9000";
const documentUrl = "https://notes.example/client.json";
const info = { name: "notes", version: "1.0.0" };

type Mode = "auto" | "legacy" | { pin: string };

// deno-lint-ignore no-explicit-any
type Json = any;

/** A client that has signed in. */
interface SignedIn {
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<Json>;
  /** Signs in again, after a challenge. */
  again(): Promise<void>;
}

/** Points the current SDK at a URL, and signs in when it is refused. */
async function connect(
  lab: TestLab,
  store: Json,
  mode: Mode,
): Promise<SignedIn & { client: Client }> {
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(lab.mcp().url), {
      authProvider: store,
      fetch: lab.fetch as typeof fetch,
    });
  const first = transport();
  await assertRejects(() => new Client(info, { versionNegotiation: { mode } }).connect(first));
  const again = async () => await first.finishAuth(await signIn(lab, store));
  await again();
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(transport());
  return { client, again, callTool: (call) => client.callTool(call) };
}

/** Does the same with the SDK of the earlier revisions. */
async function connectFirst(lab: TestLab, store: Json): Promise<SignedIn> {
  const transport = () =>
    new FirstTransport(new URL(lab.mcp().url), {
      authProvider: store,
      fetch: lab.fetch as typeof fetch,
    });
  const first = transport();
  await assertRejects(() => new FirstClient(info).connect(first));
  const again = async () => await first.finishAuth((await signIn(lab, store)).get("code") ?? "");
  await again();
  const client = new FirstClient(info);
  await client.connect(transport());
  return { again, callTool: (call) => client.callTool(call) };
}

const ways: Array<[title: string, known: KnownAs]> = [
  ["registers", {}],
  ["has a metadata document", { documentUrl }],
  ["was configured", { clientId: "demo-cli" }],
];

function openLab(): Promise<TestLab> {
  return hallpass({ issuer });
}

describe("A client with an official SDK that knows nothing but the URL of the MCP server", () => {
  const modes: Array<[mode: Mode, version: string]> = [
    ["auto", "2026-07-28"],
    [{ pin: "2026-07-28" }, "2026-07-28"],
    ["legacy", "2025-11-25"],
  ];
  for (const [way, known] of ways) {
    for (const [mode, version] of modes) {
      it.inLab(`reaches whoami if it ${way}, and speaks ${JSON.stringify(mode)}`, async (lab) => {
        if (known.documentUrl) lab.clientDocument(documentOf(known.documentUrl));
        const store = createClientStore(known);
        const { client } = await connect(lab, store, mode);
        assertEquals(client.getNegotiatedProtocolVersion(), version);
        const { structuredContent }: Json = await client.callTool({ name: "whoami" });
        assertEquals(structuredContent.subject, "alice");
        assertEquals([asked(store, "scope"), asked(store, "resource")], ["read", `${issuer}/mcp`]);
        lab.assertClean();
      });
    }

    it.inLab(`reaches whoami with version 1 of the SDK if it ${way}`, async (lab) => {
      if (known.documentUrl) lab.clientDocument(documentOf(known.documentUrl));
      const { callTool } = await connectFirst(lab, createClientStore(known));
      assertEquals((await callTool({ name: "whoami" })).structuredContent.subject, "alice");
      lab.assertClean();
    });
  }

  for (const [way, known] of ways.slice(0, 2)) {
    it.inLab(`steps up for a tool that needs 'write' if it ${way}`, async (lab) => {
      if (known.documentUrl) lab.clientDocument(documentOf(known.documentUrl));
      const store = createClientStore(known);
      const { callTool, again } = await connect(lab, store, "auto");
      const call = { name: "write_note", arguments: { text: "Call Bob" } };
      await assertRejects(() => callTool(call));
      assertEquals(asked(store, "scope"), "read write");
      await again();
      assertEquals((await callTool(call)).structuredContent.notes.at(-1), "Call Bob");
      assertEquals((await callTool({ name: "read_notes" })).isError, undefined);
    });
  }

  it.inLab("gets the error of an unknown tool, and lists the known ones", async (lab) => {
    const { client } = await connect(lab, createClientStore(), "auto");
    const { tools } = await client.listTools();
    assertEquals(tools.map(({ name }) => name), [
      "whoami",
      "read_notes",
      "write_note",
      "approve_payment",
    ]);
    await assertRejects(() => client.callTool({ name: "rm" }), Error, "Unknown tool: 'rm'");
  });

  it.inLab("calls tools of the test", async (lab) => {
    lab.mcp({ tools: { greet: { call: ({ name }) => `Hello ${name}` } } });
    const { callTool } = await connect(lab, createClientStore(), "auto");
    const { content } = await callTool({ name: "greet", arguments: { name: "Bob" } });
    assertEquals(content, [{ type: "text", text: "Hello Bob" }]);
  });
});

function documentOf(url: string) {
  const { clientMetadata } = createClientStore();
  return { ...clientMetadata, client_id: url, token_endpoint_auth_method: "none" };
}
