import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { hallpass, LabError, type McpOptions } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { callMcpTool, mintForMcp, sendMcp } from "../../../support/mcp.ts";

const it = itWith({ inLab: () => hallpass() });

const scopes = ["openid", "orders:read"];

describe("lab.mcp, with tools of the test", () => {
  it("has exactly these tools, with their schemas and scopes", async () => {
    await using lab = await hallpass({ scopes });
    const inputSchema = { type: "object", properties: { id: { type: "string" } } };
    lab.mcp({
      tools: {
        order: {
          inputSchema,
          scope: ["orders:read"],
          call: ({ id }, { subject }) => ({ id, of: subject }),
        },
      },
    });
    const token = await mintForMcp(lab, "orders:read");
    const { json } = await sendMcp(lab, { token });
    assertEquals(json.result.tools, [{ name: "order", inputSchema }]);
    const called = await callMcpTool(lab, "order", { token, args: { id: "7" } });
    assertEquals(called.json.result.structuredContent, { id: "7", of: "alice" });
    const refused = await callMcpTool(lab, "order", { token: await mintForMcp(lab, "openid") });
    assertEquals(refused.status, 403);
    assertStringIncludes(refused.challenge, `scope="orders:read"`);
  });

  it.inLab("turns what a tool returns or throws into a result", async (lab) => {
    const content = [{ type: "image", data: "", mimeType: "image/png" }];
    lab.mcp({
      tools: {
        text: { call: () => "hello" },
        number: { call: () => 3 },
        nothing: { call: () => undefined },
        whole: { call: () => ({ content }) },
        failing: { call: () => Promise.reject(new Error("No such order.")) },
      },
    });
    const token = await mintForMcp(lab);
    const resultOf = async (name: string) => (await callMcpTool(lab, name, { token })).json.result;
    assertEquals((await resultOf("text")).content, [{ type: "text", text: "hello" }]);
    assertEquals((await resultOf("number")).content, [{ type: "text", text: "3" }]);
    assertEquals((await resultOf("nothing")).content, [{ type: "text", text: "" }]);
    assertEquals((await resultOf("whole")).content, content);
    const { isError, content: [failure] } = await resultOf("failing");
    assertEquals([isError, failure.text], [true, "No such order."]);
  });

  it("names the first scopes in its challenge, and all of them in its metadata", async () => {
    await using lab = await hallpass({ scopes });
    lab.mcp({ initialScope: ["openid"], tools: { a: { scope: ["orders:read"], call: () => 1 } } });
    assertStringIncludes((await sendMcp(lab)).challenge, `scope="openid"`);
    const url = `${lab.issuer}/.well-known/oauth-protected-resource/mcp`;
    assertEquals((await (await lab.fetch(url)).json()).scopes_supported, ["openid", "orders:read"]);
  });

  it.inLab("keeps its tools if a test asks for the URL alone", async (lab) => {
    lab.mcp({ tools: { a: { call: () => 1 } } });
    assertEquals(lab.mcp().url, `${lab.issuer}/mcp`);
    const { json } = await sendMcp(lab, { token: await mintForMcp(lab) });
    assertEquals(json.result.tools.length, 1);
  });

  it.inLab("has the tools of the lab again after a reset", async (lab) => {
    lab.mcp({ tools: {} });
    await lab.reset();
    const { json } = await sendMcp(lab, { token: await mintForMcp(lab) });
    assertEquals(json.result.tools.length, 4);
  });

  const call = () => 1;
  // deno-lint-ignore no-explicit-any
  const refused: Array<[options: any, message: string]> = [
    [{ tools: { "a b": { call } } }, "The name 'a b'"],
    [{ tools: { a: {} } }, "needs a function 'call'"],
    [{ tools: { a: null } }, "needs a function 'call'"],
    [{ tools: { a: { call, scope: "read" } } }, "must be a list of scopes"],
    [{ tools: { a: { call, scope: ["read write"] } } }, "must be a list of scopes"],
    [{ tools: { a: { call, maxAge: -1 } } }, "must be a number of seconds"],
    [{ tools: {}, initialScope: ["a b"] }, "must be a list of scopes"],
    [{ initialScope: ["read"] }, "needs 'tools'"],
  ];
  for (const [options, message] of refused) {
    it.inLab(`refuses ${JSON.stringify(options)}, and keeps its tools`, async (lab) => {
      assertThrows(() => lab.mcp(options as McpOptions), LabError, message);
      const { json } = await sendMcp(lab, { token: await mintForMcp(lab) });
      assertEquals(json.result.tools.length, 4);
    });
  }
});
