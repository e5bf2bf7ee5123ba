import {
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import type { Report } from "../../../../src/lab/features/report/report.ts";
import { reportToText } from "../../../../src/lab/features/report/report_text.ts";
import { withLab } from "../../../../src/lab/testing/fixtures.ts";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { textOf } from "../../../../src/lab/util/html_forms.ts";
import { verdictOn } from "../../../../src/program/features/report/run_report_command.ts";
import { callLab } from "../../../support/lab_call.ts";
import { openTab } from "../../../support/lab_tab.ts";
import { authorizationUrl } from "../../../support/login.ts";

const url = "https://api.test/orders";
const open = () => new Response();
const closed = ({ headers }: Request) =>
  new Response(null, { status: headers.has("Authorization") ? 200 : 401 });

/** Drills an API that needs no token, or any. */
async function drill(lab: TestLab, request: typeof closed = open, client?: string): Promise<void> {
  await lab.drillApi({ request, url, client, only: ["no_token"] });
}

async function junitOf(lab: TestLab): Promise<string> {
  return (await callLab(lab, "GET /report?format=junit")).json;
}

const opaque = { id: "opaque", redirectUris: ["https://app.example/"] };

describe("F7: a violation of an API", () => {
  const histories: Array<[what: string, act: (lab: TestLab) => Promise<void>, verdict: number]> = [
    ["its drill found one", drill, 8],
    ["a reset came after it", async (lab) => {
      await drill(lab);
      await lab.reset();
    }, 8],
    ["a reset of its tenant came after it", async (lab) => {
      const tenant = await lab.tenant();
      await drill(tenant);
      await tenant.reset();
    }, 8],
    ["its tenant was closed", async (lab) => {
      await using tenant = await lab.tenant();
      await drill(tenant);
    }, 8],
    ["the tenant around its tenant was closed", async (lab) => {
      await using tenant = await lab.tenant();
      await drill(await tenant.tenant());
    }, 8],
    ["a drill with another client found none", async (lab) => {
      lab.clients.put(opaque);
      await drill(lab);
      await drill(lab, closed, opaque.id);
    }, 8],
    ["a drill found none", (lab) => drill(lab, closed), 0],
  ];
  for (const [what, act, verdict] of histories) {
    it(`makes a run ${verdict === 0 ? "pass" : "fail"} in each place: ${what}`, async () => {
      await using lab = await hallpass();
      await act(lab);
      assertEquals(verdictOn(lab.report(), {}), verdict);
      const junit = await junitOf(lab);
      assertStringIncludes(junit, `API ${url}`);
      assertStringIncludes(junit, `failures="${verdict === 0 ? 0 : 1}"`);
    });
  }

  it("makes assertClean() throw, with what to do", async () => {
    await using lab = await hallpass();
    await drill(lab);
    assertThrows(() => lab.assertClean(), LabError, "Accepts a request without a token");
    assertEquals(lab.report().clean, false);
    assertStringIncludes(reportToText(lab.report()), "F no_token");
  });

  it("makes it throw for each drill that found it, even after a reset", async () => {
    await using lab = await hallpass();
    for (const _ of [1, 2]) {
      await drill(lab);
      await lab.reset();
      assertThrows(() => lab.assertClean(), LabError);
      lab.assertClean();
    }
  });

  it("makes it throw only once for each drill, with a reset after each", async () => {
    await using lab = await hallpass();
    for (const _ of [1, 2]) {
      await drill(lab);
      assertThrows(() => lab.assertClean(), LabError);
      await lab.reset();
      lab.assertClean();
    }
  });

  it("is gone after a whole drill without it, though a tenant was reset in between", async () => {
    await using lab = await hallpass();
    const tenant = await lab.tenant();
    await drill(lab);
    await tenant.reset();
    await lab.drillApi({ request: closed, url });
    assertEquals(lab.report().earlier, []);
  });

  it("makes that of the whole lab throw once for each drill at a tenant that closes", async () => {
    await using lab = await hallpass();
    for (const isSeen of [true, false]) {
      const tenant = await lab.tenant();
      await drill(tenant);
      if (isSeen) assertThrows(() => lab.assertClean(), LabError);
      await tenant.close();
      if (!isSeen) assertThrows(() => lab.assertClean(), LabError);
      lab.assertClean();
    }
  });
});

describe("F7: a drill that found nothing, in a run without requests", () => {
  const ends: Record<string, (lab: TestLab) => Promise<void>> = {
    "by itself": async () => {},
    "before a reset": (lab) => lab.reset(),
    "before its tenant closes": (lab) => lab.close(),
  };
  for (const [what, end] of Object.entries(ends)) {
    it(`makes the run pass ${what}`, async () => {
      await using lab = await hallpass();
      const tenant = await lab.tenant();
      await drill(tenant, closed);
      await end(tenant);
      const { reached, requests, clean }: Report = lab.report();
      assertEquals([reached, requests, clean], [true, 0, true]);
      assertEquals(verdictOn(lab.report(), {}), 0);
      assertMatch(await junitOf(lab), /tests="[1-9]\d*" failures="0"/);
    });
  }
});

describe("F7: a violation of an API on the pages", () => {
  it("is among the findings that the navigation and the report count", async () => {
    await using lab = await hallpass();
    const { html } = await openTab(lab);
    const counter = /id="count-report"[^>]*>(\d*)</;
    await drill(lab);
    assertEquals(counter.exec(await html("/lab/report"))?.[1], "1");
    await lab.fetch(authorizationUrl(lab, { client_id: "nobody" }));
    const page = await html("/lab/report");
    assertEquals(counter.exec(page)?.[1], "2");
    assertStringIncludes(textOf(page), "2 of 2 clients and APIs need work: 2 findings");
    // Each of them is on the page.
    assertEquals(page.match(/<details class="entry /g)?.length, 2);
  });
});

describe("F7: a violation of an API in SARIF", () => {
  it("is a result, with its rule", async () => {
    await using lab = await hallpass();
    await drill(lab);
    const { json } = await callLab(lab, "GET /report?format=sarif");
    const { runs: [{ tool, results: [{ ruleId, ruleIndex, level }] }] } = json;
    const { id } = tool.driver.rules[ruleIndex];
    assertEquals([id, ruleId, level], ["no_token", "no_token", "error"]);
  });
});

describe("F7: a violation of an API in a test that expects rules", () => {
  it("fails it, unless it is one of them", async () => {
    const testOf = (rule: string) =>
      withLab(async (lab) => {
        lab.expect(rule);
        await drill(lab);
      });
    await testOf("no_token")();
    await assertRejects(testOf("expired"), LabError, "F no_token");
  });
});

describe("U6: The page of a drill of an API that takes any token", () => {
  it("says so first, with a button that drills again, and folds what follows from it", async () => {
    await using lab = await hallpass();
    await lab.drillApi({ request: closed, url, only: ["unknown_token", "expired"] });
    const html = await (await openTab(lab)).html("/lab/drill/api");
    const [verdict = "", effects = ""] = html.split('class="also"');
    assertMatch(textOf(verdict), /orders : Findings: 1 F\. .* Run again .* unknown_token/);
    assertMatch(textOf(`<p ${effects}`), /1 more of the same mistake: expired.* expired/);
  });
});
