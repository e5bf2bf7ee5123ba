import { assert, assertEquals, assertMatch, assertNotMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { mcpRows } from "../../../src/lab/features/mcp/drill.ts";
import { idJagRows } from "../../../src/lab/features/token_exchange/drill.ts";
import { hallpass, LabError } from "../../../src/lab/testing/mod.ts";
import { eventually } from "../../support/eventually.ts";
import { callLab } from "../../support/lab_call.ts";
import { openTab } from "../../support/lab_tab.ts";
import { connectMcp } from "../../support/mcp_client.ts";
import { hasFeature, needs } from "../../support/where_feature.ts";
import { openEnterpriseLab } from "./enterprise_lab.ts";
import { mcpApplicationOrigin, openMcpApplication } from "./mcp_application.ts";

const issuer = "http://localhost:9000";
const careful = { checks: true, maxStepUps: 2, applicationType: "native" };
const start = `${mcpApplicationOrigin}/`;

describe("lab.drillMcp for a tenant", () => {
  if (hasFeature("registration")) {
    it("drills a client of the tenant's own MCP server", async () => {
      await using lab = await hallpass({ issuer });
      const acme = await lab.tenant({ id: "acme" });
      const options = { tenant: "acme" };
      const result = await lab.drillMcp(() => connectMcp(acme, careful), undefined, options);
      assertEquals([result.accepted, result.wronglyRefused], [[], []]);
      for (const { fault, expectation } of mcpRows.flatMap(({ rows }) => rows)) {
        if (expectation === "refuse") assert(result.refused.includes(fault), fault);
      }
      assertEquals([lab.faults.list(), acme.faults.list()], [[], []]);
    });
  }

  it("drills the sign-in at the company of an enterprise, and the ID-JAG that it issues", async () => {
    await using open = await openEnterpriseLab();
    const connect = async () => assertEquals((await open.call("alice", "whoami")).status, 200);
    const result = await open.lab.drillMcp(connect, undefined, { tenant: "company" });
    assertEquals(result.refused, idJagRows.flatMap(({ rows }) => rows).map(({ fault }) => fault));
    // The client of this test compares neither state nor issuer.
    assertEquals(result.accepted.map(({ fault }) => fault), [
      "callback.wrong_state",
      "callback.wrong_iss",
      "callback.without_iss",
      "callback.iss_with_slash",
    ]);
  });

  it("tries an ID-JAG only where one is issued", async () => {
    await using lab = await hallpass({ issuer });
    await lab.tenant({ id: "acme" });
    const drill = lab.drillMcp(async () => {}, ["id_jag.refused"], { tenant: "acme" });
    await assertRejects(() => drill, LabError, "does not try 'id_jag.refused'");
  });

  it("is refused for a tenant that does not exist", async () => {
    await using lab = await hallpass({ issuer });
    const attempt = async () => await lab.drillMcp(async () => {}, undefined, { tenant: "nobody" });
    await assertRejects(attempt, LabError, "nobody");
  });
});

describe("A drill of an MCP client over HTTP", () => {
  const only = ["callback.wrong_state", "callback.wrong_iss", "mcp.unlisted_scope"];

  it("visits an application that calls a tool, at the server of a tenant", async () => {
    await using opened = await openMcpApplication();
    const body = { start, mcp: true, tenant: "acme", only };
    const { status, json } = await callLab(opened.lab, "POST /drill", body);
    assertEquals([status, json.state, json.refused], [200, "finished", ["callback.wrong_iss"]]);
    assertEquals(json.accepted.map(({ fault }: { fault: string }) => fault), [
      "callback.wrong_state",
    ]);
    const shown = await opened.lab.fetch(`${issuer}/t/acme/lab/drill`);
    assertEquals((await shown.json()).total, only.length);
  });

  it("is the same in TypeScript, and at the interface of the tenant", async () => {
    await using opened = await openMcpApplication();
    const result = await opened.lab.drillMcp({ start }, ["callback.wrong_iss"], { tenant: "acme" });
    assertEquals(result.refused, ["callback.wrong_iss"]);
    const body = { start, mcp: true, only: ["callback.wrong_iss"] };
    const { json } = await callLab(opened.tenant, "POST /drill", body);
    assertEquals(json.refused, ["callback.wrong_iss"]);
  });

  it("is started on the page, which leads to that of the tenant", async () => {
    await using opened = await openMcpApplication();
    const { lab } = opened;
    const tab = await openTab(lab as never, undefined, (request) => lab.fetch(request));
    const form = await tab.html("/lab/drill");
    assertMatch(form, /<select id="tenant"[^>]*><option[^>]*>the lab itself<.*>acme</);
    assertMatch(form, /name="mcp"/);
    const response = await tab.post("/lab/drill/start", { start, mcp: "on", tenant: "acme" });
    assertEquals([response.status, response.headers.get("Location")], [303, "/t/acme/lab/drill"]);
    await eventually(async () => {
      const progress = await (await lab.fetch(`${issuer}/t/acme/lab/drill`)).json();
      assertEquals([progress.state, progress.mcp], ["finished", true]);
    });
    const shown = await tab.html("/t/acme/lab/drill");
    assertMatch(shown, /mcp\.endless_step_up.*callback\.wrong_iss|callback\.wrong_iss.*mcp\./s);
    assertMatch(shown, /name="mcp"[^>]* checked/);
    assertNotMatch(shown, /id_token\.wrong_aud|id="tenant"/);
    assertEquals((await (await lab.fetch(`${issuer}/lab/drill`)).json()).state, "none");
  });

  it(
    "is offered where there is an MCP server, and a tenant where there are some",
    needs("providers"),
    async () => {
      await using lab = await hallpass({ issuer, provider: "github" });
      const tab = await openTab(lab as never, undefined, (request) => lab.fetch(request));
      assertNotMatch(await tab.html("/lab/drill"), /name="mcp"|id="tenant"/);
    },
  );

  const refused: Array<[what: string, body: object, message: RegExp]> = [
    ["an unknown tenant", { start, mcp: true, tenant: "nobody" }, /nobody/],
    ["a variant of a login", { start, mcp: true, only: ["id_token.wrong_aud"] }, /id_token/],
    ["a variant of an MCP client, in a drill of a login", {
      start,
      only: ["mcp.unlisted_scope"],
    }, /does not try 'mcp\.unlisted_scope'/],
    ["a word in place of a switch", { start, mcp: "yes" }, /'mcp'/],
    ["a tenant that is no text", { start, tenant: 1 }, /'tenant'/],
  ];
  for (const [what, body, message] of refused) {
    it(`refuses ${what}`, async () => {
      await using opened = await openMcpApplication();
      const { status, json } = await callLab(opened.lab, "POST /drill", body);
      assertEquals(status, 400);
      assertMatch(json.error_description, message);
    });
  }
});
