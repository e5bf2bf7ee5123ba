import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { createEarlierFindings } from "../../../../src/lab/features/report/earlier_findings.ts";
import type { Reported } from "../../../../src/lab/features/report/refused_requests.ts";
import { labelOf } from "../../../../src/lab/findings/finding.ts";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { callLab } from "../../../support/lab_call.ts";
import { openTab } from "../../../support/lab_tab.ts";
import { freshTokens, freshUrl } from "../../../support/login.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({ inLab: () => hallpass() });

/** Breaks a rule, and has a request refused. */
async function breakRules(lab: TestLab): Promise<void> {
  await lab.fetch(`${lab.issuer}/oauth2/userinfo?access_token=abc`);
}

async function sendRequests(lab: TestLab, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await lab.fetch(`${lab.issuer}/oauth2/jwks`);
}

const found: [string, string] = ["D token-in-uri", "refused token.sent"];

const foundInSteps = [
  ...found,
  "C plain-challenge",
  "D secret-in-uri",
  "refused challenge.method",
];

function earlierIn(lab: TestLab): string[] {
  return lab.report().earlier.map((each) => `${labelOf(each)} ${each.id}`);
}

/** What makes a lab forget requests. */
const losses: Record<string, (lab: TestLab) => Promise<unknown>> = {
  "a reset": (lab) => lab.reset(),
  "a reset over HTTP": (lab) => callLab(lab, "POST /reset", {}),
  "2,000 newer requests": (lab) => sendRequests(lab, 2000),
};

describe("What a report found before the lab forgot the requests", () => {
  for (const [name, lose] of Object.entries(losses)) {
    it.inLab(`is in the report after ${name}`, async (lab) => {
      await breakRules(lab);
      assertEquals(earlierIn(lab), []);
      await lose(lab);
      const { refused, clean } = lab.report();
      assertEquals([earlierIn(lab), refused, clean], [found, [], true]);
    });
  }

  it.inLab("does not include requests that a test deletes, wrong as they were", async (lab) => {
    const tenant = await lab.tenant();
    for (const each of [lab, tenant]) {
      await breakRules(each);
      await callLab(each, "DELETE /requests");
      await each.reset();
    }
    assertEquals(earlierIn(lab), []);
  });

  it.inLab("includes a rule about two requests, one before and one after 2,000", async (lab) => {
    await sendRequests(lab, 1500);
    for (const name of ["A", "B"]) {
      await lab.fetch(freshUrl(lab, { nonce: "same", code_challenge: name.repeat(43) }));
      await sendRequests(lab, 900);
    }
    await sendRequests(lab, 2000);
    assertEquals(earlierIn(lab), ["C nonce-reused"]);
  });

  it.inLab("is found in steps once the lab forgets, for each rule", async (lab) => {
    await sendRequests(lab, 2100);
    await breakRules(lab);
    await lab.fetch(`${lab.issuer}/oauth2/jwks?client_secret=abc`);
    await lab.fetch(freshUrl(lab, { code_challenge_method: "plain" }));
    await sendRequests(lab, 2000);
    assertEquals(new Set(earlierIn(lab)), new Set(foundInSteps));
  });

  it.inLab("is in the report after a return to a snapshot", needs("snapshots"), async (lab) => {
    const snapshot = await lab.snapshot();
    await breakRules(lab);
    await lab.restore(snapshot);
    assertEquals(earlierIn(lab), found);
  });

  it.inLab("includes what a tenant was sent", async (lab) => {
    const tenant = await lab.tenant();
    await tenant.fetch(`${tenant.issuer}/oauth2/userinfo?access_token=abc`);
    await tenant.reset();
    assertEquals([earlierIn(lab), lab.report().earlier[0]?.where.tenant], [found, "1"]);
  });

  it.inLab("is not what the report still finds, and not advice", async (lab) => {
    const tenant = await lab.tenant();
    await breakRules(lab);
    await freshTokens(tenant);
    await tenant.reset();
    assertEquals(earlierIn(lab), []);
    assertEquals(lab.report().findings.length, 1);
  });

  it.inLab("stays after the next reset, with what came since", async (lab) => {
    for (const _ of [1, 2]) {
      await breakRules(lab);
      await lab.reset();
    }
    assertEquals(earlierIn(lab), [found[0], found[0], found[1], found[1]]);
  });

  it.inLab("is bounded, and a violation makes room for no refused request", async (lab) => {
    await breakRules(lab);
    for (let count = 0; count < 600; count++) await lab.fetch(`${lab.issuer}/oauth2/userinfo`);
    await lab.reset();
    assertEquals([earlierIn(lab).length, earlierIn(lab)[0]], [501, found[0]]);
  });

  it("a: fails the assertClean at the end of a suite that resets after each test", async () => {
    for (const options of [{}, { refused: true }]) {
      await using lab = await hallpass();
      await breakRules(lab);
      await lab.reset();
      const { message } = assertThrows(() => lab.assertClean(options), LabError);
      const [title, violation, ...more] = message.split("\n");
      assertEquals(
        title,
        "Found before a reset, before the newest 2,000 requests, or at a closed tenant:",
      );
      assertStringIncludes(violation ?? "", found[0]);
      assertEquals(more.some((line) => line.startsWith(found[1])), options.refused === true);
      lab.assertClean(options);
    }
  });

  it.inLab("a: fails no later test for what an assertClean has seen", async (lab) => {
    await breakRules(lab);
    assertThrows(() => lab.assertClean(), LabError);
    await lab.reset();
    lab.assertClean({ refused: true });
    await breakRules(lab);
    await lab.reset();
    assertThrows(() => lab.assertClean(), LabError);
    assertEquals(earlierIn(lab).length, 4);
  });

  it.inLab("a: names how a test that provokes refusals ends", async (lab) => {
    await lab.fetch(`${lab.issuer}/oauth2/userinfo`);
    await lab.reset();
    const { message } = assertThrows(() => lab.assertClean({ refused: true }), LabError);
    assertStringIncludes(message, "End a test that provokes refusals with assertClean()");
    await lab.fetch(`${lab.issuer}/oauth2/userinfo`);
    lab.assertClean();
    await lab.reset();
    lab.assertClean({ refused: true });
  });

  it.inLab("a: does not fail assertClean if a test deleted it", async (lab) => {
    await breakRules(lab);
    await callLab(lab, "DELETE /requests");
    await lab.reset();
    lab.assertClean({ refused: true });
  });

  it("f: is refused no longer once it works", () => {
    const earlier = createEarlierFindings();
    const refused: Reported = {
      ...{
        id: "token.active",
        title: "x",
        kind: "security",
        error: "invalid_token",
        resolved: false,
      },
      where: { exchanges: [1] },
    };
    earlier.keep([refused]);
    const resolved: Reported = { ...refused, resolved: true };
    earlier.keep([resolved]);
    assertEquals(earlier.besides([]).map(({ resolved }: Reported) => resolved), [true]);
  });

  it.inLab("is gone once the report starts over", async (lab) => {
    await breakRules(lab);
    await lab.reset();
    const tab = await openTab(lab);
    await tab.post("/lab/report/clear", {});
    assertEquals(earlierIn(lab), []);
  });

  it.inLab("fails the checks in JUnit XML, and is in SARIF", async (lab) => {
    await breakRules(lab);
    await lab.reset();
    const junit = (await callLab(lab, "GET /report?format=junit")).json;
    assertEquals(junit.match(/<failure [^>]*type="token-in-uri"/g)?.length, 1, junit);
    const sarif = (await callLab(lab, "GET /report?format=sarif")).json;
    assertEquals(sarif.runs[0].results.length, 2);
  });
});
