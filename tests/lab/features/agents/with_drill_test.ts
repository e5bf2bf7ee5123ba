import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import { once } from "../../../../src/server/util/time/promises.ts";
import {
  drilledClient,
  openDrilledLab,
  origin,
  type Weakness,
} from "../../../support/drilled_application.ts";
import { testClient } from "../../../support/test_client.ts";
import { hasFeature } from "../../../support/where_feature.ts";
import { callAgentTool } from "./agent_client.ts";

const only = ["id_token.wrong_nonce", "callback.wrong_state"];
const start = `${origin}/`;

/** Drills a careless application with everything, which takes long, once. */
const drillCareless = once(async () => {
  const { lab } = await openDrilledLab("careless");
  return { lab, ...await callAgentTool(lab, "drill_app", { start }) };
});

describe("drill_app", () => {
  it("passes a careful application", async () => {
    const { lab } = await openDrilledLab("careful");
    await using _ = lab;
    const { value } = await callAgentTool(lab, "drill_app", { start, only });
    assertEquals(value, { clean: true, tried: 2, findings: [], more: 0 });
  });

  it("says what a careless one handles wrongly, as much as an agent may read", async () => {
    const { text, value } = await drillCareless();
    assertEquals([value.clean, value.findings.length + value.more], [false, 5]);
    assert(value.findings.length > 3, text);
    assertEquals(text.match(/^[FDCB] /gm)?.length, value.findings.length);
    assertStringIncludes(text, "It explains logout_token.");
  });

  it("names what it did not test next to the verdict", async () => {
    const only = ["refresh.wrong_sub", "session_survives"];
    const untested: Array<[weaknesses: Weakness[], says: string]> = [
      [["no_refresh", "no_sign_out"], "0 of 2 checks. Not tested: refresh, sign-out."],
      [["no_sign_out"], "1 of 2 checks. Not tested: sign-out."],
      [[], "2 of 2 checks."],
    ];
    for (const [weaknesses, says] of untested) {
      const { lab } = await openDrilledLab("careful", {}, undefined, weaknesses);
      await using _ = lab;
      const { text } = await callAgentTool(lab, "drill_app", { start, only });
      assertEquals(text.split("\n")[0]?.endsWith(says), true, text);
      assertEquals(text.includes("refresh: The application asks"), says.includes("refresh"), text);
      assertEquals(text.includes("sign-out: "), says.includes("sign-out"), text);
    }
  });

  it("says why each of the other checks showed nothing", async () => {
    const weaknesses: Weakness[] = ["no_refresh", "no_sign_out"];
    const { lab } = await openDrilledLab("careful", {}, undefined, weaknesses);
    await using _ = lab;
    const only = ["callback.denied", "refresh.wrong_sub", "session_survives"];
    const { text } = await callAgentTool(lab, "drill_app", { start, only });
    assertMatch(text, /1 of 3 checks/);
    const [, others = ""] = text.split("The other checks showed nothing:\n");
    assertMatch(
      others,
      /^ {2}\S.*\n {6}refresh\.wrong_sub\n {2}The drill found nothing that signs out/,
    );
    assertMatch(others, /\n {6}session_survives(\n|$)/);
  });

  it("names the flow of a login that fails, as explain takes it", async () => {
    const { lab } = await openDrilledLab("careful");
    await using _ = lab;
    lab.clients.put({ ...drilledClient(), secret: "another-secret-of-32-letters-here" });
    const { text, isError } = await callAgentTool(lab, "drill_app", { start, only });
    assertEquals(isError, true);
    const [, flow] = /Its flow is (\S+)\.$/.exec(text) ?? [];
    const { text: explained } = await callAgentTool(lab, "explain", { flow });
    assertStringIncludes(explained, "invalid_client");
  });

  it("leads to report, which has every finding: also advice, and what a page leaves out", async () => {
    const { lab, value } = await drillCareless();
    const reported: Array<{ id: string; grade: string }> = [];
    for (let page = 1, more = 1; more > 0; page++) {
      const { value } = await callAgentTool(lab, "report", { page });
      reported.push(...value.findings);
      more = value.more;
    }
    const ids = reported.map(({ id }) => id);
    assert(reported.some(({ grade }) => grade === "B"), ids.join());
    assert(value.findings.every(({ id }: { id: string }) => ids.includes(id)), ids.join());
  });

  it("finds a refresh token that is kept: it is no error of the tool", async () => {
    const { lab } = await openDrilledLab("careful", {}, undefined, ["keeps_first_refresh_token"]);
    await using _ = lab;
    const args = { start, only, refresh: `${origin}/refresh` };
    const { text, isError } = await callAgentTool(lab, "drill_app", args);
    assertEquals(isError, false);
    assertStringIncludes(text, "Store the refresh_token of each response");
  });

  it("leaves its flows out of what flows and explain show", async () => {
    const { lab } = await openDrilledLab("careful");
    await using _ = lab;
    await callAgentTool(lab, "drill_app", { start, only });
    const flows = await callAgentTool(lab, "flows");
    assertEquals(flows.value.flows, []);
    assertStringIncludes(flows.text, "No flow has reached the lab, but those of drills.");
    // The usual login of the drill is one of the application, in which nothing was provoked.
    const explained = await callAgentTool(lab, "explain");
    assertStringIncludes(explained.text, "The lab refused no request of flow-1.");
    await lab.authorize(testClient({ client_id: "demo-spa" }).authorizationUrl(lab), {
      user: "alice",
    });
    await callAgentTool(lab, "drill_app", { start, only });
    const { value } = await callAgentTool(lab, "flows");
    assertEquals(value.flows.map(({ client }: { client: string }) => client), ["demo-spa"]);
    const drilled = await callAgentTool(lab, "explain", { flow: "flow-2" });
    assertStringIncludes(drilled.text, "Faults fired: ");
  });

  it("drills the application that signed in last, if it is given no URL", async () => {
    const { lab } = await openDrilledLab("careful");
    await using _ = lab;
    const unknown = await callAgentTool(lab, "drill_app", { only });
    assertEquals(unknown.isError, true);
    assertMatch(
      unknown.text,
      /^If the login itself fails, call explain with its flow or client\. No application on/,
    );
    assertMatch(unknown.text, /pass start, the URL that begins its login\.$/);
    await callAgentTool(lab, "drill_app", { start, only });
    const { text, value } = await callAgentTool(lab, "drill_app", { only });
    assertEquals(value.tried, 2);
    assertStringIncludes(text, `${start}: No findings. 2 of 2 checks.`);
  });

  const mistakes: Array<[title: string, args: object, says: RegExp]> = [
    ["an application elsewhere", { start: "https://app.example/" }, /--drill-origin/],
    ["no URL", { start: "/login" }, /URL/],
    ["an unknown variant", { start, only: ["id_token.nothing"] }, /id_token.nothing/],
  ];
  for (const [title, args, says] of mistakes) {
    it(`says what to do about ${title}`, async () => {
      const { lab } = await openDrilledLab("careful");
      await using _ = lab;
      const { text, isError } = await callAgentTool(lab, "drill_app", args);
      assertEquals(isError, true);
      assertMatch(text, says);
    });
  }

  const ofMcp = hasFeature("mcp") ? ["resource_metadata.wrong_resource"] : [];
  for (const rule of ["id_token.wrong_nonce", ...ofMcp]) {
    it(`finds what explain knows: ${rule}`, async () => {
      const { lab } = await openDrilledLab("careful");
      await using _ = lab;
      const { text, value } = await callAgentTool(lab, "explain", { rule });
      assertEquals([typeof value.gain, typeof value.fix], ["string", "string"]);
      assertMatch(text, new RegExp(`^${rule}: .*\n  .*\n  fix: .*\n  section: `));
    });
  }

  it("refuses a second agent while the drill of another one runs", async () => {
    const { lab } = await openDrilledLab("careful");
    await using _ = lab;
    const first = callAgentTool(lab, "drill_app", { start, only });
    const second = await callAgentTool(lab, "drill_app", { start, only });
    const [one, other] = [await first, second].toSorted((a, b) => +a.isError - +b.isError);
    assertEquals([one?.isError, other?.isError], [false, true]);
    assertStringIncludes(other?.text ?? "", "A drill is running. Wait until it ends.");
  });

  it("reports its progress to a client that asks for it, and then its result", async () => {
    const { lab } = await openDrilledLab("careful");
    await using _ = lab;
    const messages = await streamOf(lab, { name: "drill_app", arguments: { start, only } });
    const last = messages.pop();
    assertEquals(messages.map(({ params }) => [params.progressToken, params.progress]), [
      ...[["t", 0], ["t", 1], ["t", 2], ["t", 2]],
    ]);
    assert(last?.result?.structuredContent.clean);
  });

  it("streams the error of an unknown tool as well", async () => {
    const { lab } = await openDrilledLab("careful");
    await using _ = lab;
    const [only] = await streamOf(lab, { name: "rm" });
    assertEquals(only?.error?.code, -32602);
  });
});

// deno-lint-ignore no-explicit-any
type Json = any;

/** Calls a tool with a token for its progress, and returns the messages that come. */
async function streamOf(lab: TestLab, params: Record<string, unknown>): Promise<Json[]> {
  const _meta = { progressToken: "t" };
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { ...params, _meta },
  });
  const response = await lab.fetch(`${lab.issuer}/lab/mcp`, {
    method: "POST",
    body,
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2025-11-25",
    },
  });
  assertEquals(response.headers.get("Content-Type"), "text/event-stream");
  const events = (await response.text()).split("\n\n").filter(Boolean);
  return events.map((event) => JSON.parse(event.replace(/^data: /, "")));
}
