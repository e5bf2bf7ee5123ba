import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { markAcknowledged } from "../../../../src/lab/features/verdicts/config.ts";
import type { Finding } from "../../../../src/lab/findings/finding.ts";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { assertClean } from "../../../support/reported.ts";
import { testClient } from "../../../support/test_client.ts";
import { openAccountSite, siteOrigin } from "./account_site.ts";

const known = { id: "second_user", reason: "The page is being replaced.", until: "2026-01-31" };
const day = Date.UTC(2026, 0, 31, 23);

describe("A finding that is acknowledged", () => {
  it("keeps its grade and fails no test, until its last day is over", async () => {
    await using lab = await openAccountSite(["shared_page"], { acknowledged: [known] });
    const drill = () => lab.drill({ start: `${siteOrigin}/` }, ["second_user"]);
    lab.clock.set(day);
    const { findings: [finding] } = await drill();
    assertEquals(finding?.grade, "F");
    assertEquals(
      finding?.acknowledged,
      "Acknowledged until 2026-01-31: The page is being replaced.",
    );
    assertClean(lab);
    lab.clock.advance("1h");
    assertEquals((await drill()).findings.map(({ acknowledged }) => acknowledged), [undefined]);
    assertThrows(() => assertClean(lab), Error, "second_user");
  });

  it("may be one of the report, also after a reset", async () => {
    const ofReport = { id: "state-reused", reason: "It is being replaced.", until: "2026-01-31" };
    const acknowledged = [ofReport, { ...ofReport, id: "challenge-reused" }];
    await using lab = await hallpass({ acknowledged });
    lab.clock.set(day);
    const client = testClient();
    for (const _ of [1, 2]) await client.tokens(lab as never, { state: "constant" });
    const [finding] = lab.report().findings.filter(({ id }) => id === ofReport.id);
    assertEquals(finding?.acknowledged, "Acknowledged until 2026-01-31: It is being replaced.");
    assertClean(lab);
    lab.reset();
    assertClean(lab);
    assertEquals(lab.report().clean, true);
  });

  it("may be that of one application alone", () => {
    const other = { ...known, subject: "http://localhost:4000/" };
    const where = { application: "http://localhost:3000/" };
    const finding: Finding = { id: known.id, title: "", kind: "security", where };
    const marked = markAcknowledged([finding], [other], day);
    assertEquals(marked.map(({ acknowledged }) => acknowledged), [undefined]);
  });

  it("needs a last day", async () => {
    const acknowledged = [{ ...known, until: "next year" }];
    const message = await hallpass({ acknowledged }).then(() => "", String);
    assertMatch(message, /acknowledged\[0\]\.until is 'next year'; a day is like 2027-01-31/);
  });
});
