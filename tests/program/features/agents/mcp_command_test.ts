import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { runCommandLine } from "../../../support/command_line.ts";

const call = (name: string, args: object = {}) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });

/** Runs the command with one call on its standard input. */
async function runMcp(args: readonly string[], line = call("clock")) {
  const { code, output } = await runCommandLine(["mcp", ...args], {}, line);
  const json = output.split("\n").find((each) => each.startsWith("{"));
  return { code, output, reply: json === undefined ? undefined : JSON.parse(json) };
}

describe("hallpass mcp", () => {
  it("starts a lab with the options of one, and ends with its input", async () => {
    const args = ["--sign-in", "alice", "--lab-token", "0123456789abcdef"];
    const { code, output, reply } = await runMcp(args, call("sign_in_as", { user: "bob" }));
    assertEquals([code, reply.result.structuredContent.user], [0, "bob"]);
    assertMatch(output, /hallpass mcp: the issuer is http:\/\/localhost:\d+, flows at/);
  });

  it("uses a lab that runs, with its token", async () => {
    const labToken = "0123456789abcdef";
    await using lab = await hallpass({ listen: true, labToken });
    const args = ["--lab", `${lab.issuer}/lab`, "--lab-token", labToken];
    const { reply } = await runMcp(args, call("sign_in_as", { user: "alice" }));
    assertEquals(reply.result.structuredContent.user, "alice");
    const refused = await runMcp(["--lab", lab.issuer]);
    assertStringIncludes(refused.reply.result.content[0].text, "Send the lab's token");
  });

  it("says what to do about a lab that has ended", async () => {
    const lab = await hallpass({ listen: true });
    await lab.close();
    const { code, reply } = await runMcp(["--lab", lab.issuer]);
    assertEquals([code, reply.result.isError], [0, true]);
    const [{ text }] = reply.result.content;
    assertStringIncludes(text, `No lab responds at ${lab.issuer}: nothing is listening`);
    assertStringIncludes(text, "Start it again: hallpass lab.");
  });

  it("says that a port is in use, and starts nothing", async () => {
    await using lab = await hallpass({ listen: true });
    const { port } = new URL(lab.issuer);
    const { code, output, reply } = await runMcp(["--port", port]);
    assertEquals([code, reply], [1, undefined]);
    assertMatch(output, new RegExp(`${port}.*in use`));
  });

  it("refuses options of a new lab with one that runs", async () => {
    const { code, output } = await runMcp(["--lab", "http://localhost:9000", "--sign-in", "alice"]);
    assertEquals(code, 2);
    assertStringIncludes(output, "--sign-in is for a new lab");
  });
});
