import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { relayMessages } from "../../../../src/program/features/agents/relay_messages.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

const call = (id: number, name = "flows", params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, ...params } });

/** A message that reached the lab. */
interface Sent {
  message: Json;
  headers: Record<string, string>;
}

/** Relays lines to a lab that responds as it is told, and returns both sides. */
async function relay(
  lines: readonly string[],
  respond: (message: Json) => Response | Promise<Response>,
): Promise<{ sent: Sent[]; written: Json[] }> {
  const sent: Sent[] = [];
  const written: Json[] = [];
  const input = async function* () {
    for (const line of lines) {
      yield line;
      // The response to a line may come before the next one does.
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
  await relayMessages(input(), async (body, headers) => {
    const message = JSON.parse(body);
    sent.push({ message, headers });
    return await respond(message);
  }, (line) => written.push(JSON.parse(line)));
  return { sent, written };
}

const result = ({ id }: Json, members: object = {}) =>
  Response.json({ jsonrpc: "2.0", id, result: members });

describe("The messages of an agent on standard input (MCP, stdio)", () => {
  it("reach the lab with the headers of Streamable HTTP", async () => {
    const modern = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
    const lines = [
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize" }),
      call(2, "flows"),
      call(3, "flöws", modern),
    ];
    const { sent } = await relay(
      lines,
      (message) =>
        result(message, message.method === "initialize" ? { protocolVersion: "2025-06-18" } : {}),
    );
    assertEquals(sent.map(({ headers }) => headers["MCP-Protocol-Version"]), [
      ...["2025-11-25", "2025-06-18", "2026-07-28"],
    ]);
    const names = sent.map(({ headers }) => headers["Mcp-Name"]);
    assertEquals(names, [undefined, "flows", "=?base64?ZmzDtndz?="]);
  });

  it("may overlap: a long call holds up no other", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => release = resolve);
    const { written } = await relay([call(1), call(2)], async (message) => {
      if (message.id === 1) await held;
      else release();
      return result(message);
    });
    assertEquals(written.map(({ id }) => id).sort(), [1, 2]);
  });

  it("get each message of a stream, as it comes in pieces", async () => {
    const event = (message: object) => `data: ${JSON.stringify(message)}\n\n`;
    const text = event({ method: "notifications/progress" }) + event({ id: 1, result: "é" });
    const bytes = new TextEncoder().encode(text);
    const { written } = await relay([call(1)], () => {
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
          controller.close();
        },
      });
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    });
    assertEquals(written, [{ method: "notifications/progress" }, { id: 1, result: "é" }]);
  });

  it("get no response to a notification", async () => {
    const line = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    const { sent, written } = await relay(
      [line, "", " "],
      () => new Response(null, { status: 202 }),
    );
    assertEquals([sent.length, written], [1, []]);
  });

  for (const [line, code] of [["{", -32700], ["[]", -32600], ["{}", -32600]] as const) {
    it(`are refused here if they are ${line}`, async () => {
      const { sent, written } = await relay([line], (message) => result(message));
      assertEquals([sent.length, written], [0, [{ ...written[0], id: null }]]);
      assertEquals(written[0].error.code, code);
    });
  }

  const guarded = { error: "access_denied", error_description: "Send the lab's token." };
  const failures: Array<[what: string, respond: () => Response, says: string]> = [
    [
      "the guard of the lab",
      () => Response.json(guarded, { status: 401 }),
      "Send the lab's token.",
    ],
    ["something that is no lab", () => new Response("<h1>Hi</h1>"), "not that of a lab"],
    [
      "a lab that ended",
      () => {
        throw new Error("No lab responds at http://localhost:9000.");
      },
      "No lab responds",
    ],
  ];
  for (const [what, respond, says] of failures) {
    it(`get a sentence in place of a response of ${what}`, async () => {
      const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
      const { written: [called, listed] } = await relay([call(1), list], respond);
      assertEquals([called.id, called.result.isError], [1, true]);
      assertStringIncludes(called.result.content[0].text, says);
      assertStringIncludes(listed.error.message, says);
    });
  }
});
