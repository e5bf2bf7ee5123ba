import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { sessionChecks } from "../../../../src/lab/features/drill/session_checks.ts";
import { drillVariants } from "../../../../src/lab/features/drill/variants/variants.ts";
import { unfoldFindings } from "../../../../src/lab/features/verdicts/fold.ts";
import type { Finding } from "../../../../src/lab/findings/finding.ts";
import type { FindingGrade } from "../../../../src/lab/findings/grade.ts";
import { openSite, siteOrigin, type SitePlan } from "../../../corpus/broken/open_site.ts";
import { deniedGains } from "../../../corpus/harness/denied_gains.ts";
import { call, type Json } from "../../../corpus/harness/measured_lab.ts";
import { openAccountSite, type SiteWeakness } from "./account_site.ts";
import { type PlantedRows, plantedRows } from "./planted_rows.ts";

/** What no site by hand can have: it does not register itself. */
const elsewhere = ["register.forgotten"];

const urls = {
  start: `${siteOrigin}/account`,
  check: `${siteOrigin}/account`,
  refresh: `${siteOrigin}/refresh`,
  logout: `${siteOrigin}/logout`,
  keyWait: 0,
  users: 12,
};

async function drillSite(plan: SitePlan, only: readonly string[]): Promise<Json> {
  await using lab = await openSite(plan);
  return await call(lab, "POST /drill", { ...urls, only });
}

async function drillAccounts(weakness: SiteWeakness | undefined, only: readonly string[]) {
  await using lab = await openAccountSite(weakness === undefined ? [] : [weakness]);
  return await lab.drill({ start: `${siteOrigin}/` }, [...only] as never);
}

/** Returns the rows that found something, and those that tested nothing. */
function resultOf({ findings, outcomes, checks }: Json) {
  const found = unfoldFindings(findings ?? []).map(({ id }) => id);
  const accepted = outcomes.filter(({ outcome }: Json) => outcome === "accepted");
  return {
    found: new Set<string>([...found, ...accepted.map(({ fault }: Json) => fault)]),
    untested: [
      ...outcomes.filter(({ outcome }: Json) => outcome === "unmet"),
      ...checks.filter(({ skipped }: Json) => skipped !== undefined),
    ].map(({ fault, id = fault }: Json): string => id),
  };
}

async function drillBoth({ rows, site, account }: PlantedRows) {
  if (account) {
    return [await drillAccounts(account.with, rows), await drillAccounts(account.without, rows)];
  }
  const { correct, ...broken } = site ?? {};
  return [
    await drillSite(broken, rows),
    await drillSite({ ...broken, change: correct } as SitePlan, rows),
  ];
}

describe("Each row of a drill", () => {
  it("has an application in which it finds a mistake", () => {
    const planted = plantedRows.flatMap(({ rows }) => rows);
    const all = [
      ...drillVariants.filter(({ rule }) => rule !== undefined).map(({ fault }) => fault),
      ...sessionChecks.map(({ id }) => id),
    ];
    assertEquals(planted.toSorted(), all.filter((id) => !elsewhere.includes(id)).toSorted());
  });

  for (const planted of plantedRows) {
    const { rows: [first = "", ...others] } = planted;
    const more = others.length > 0 ? `, and ${others.length} more` : "";
    it(`finds what is planted for it, and nothing in the correct application: ${first}${more}`, async () => {
      const results = await drillBoth(planted);
      const [broken, correct] = results.map(resultOf);
      assertEquals(planted.rows.filter((id) => !broken?.found.has(id)), []);
      assertEquals([[...correct?.found ?? []], correct?.untested], [[], []]);
      const { findings, refused } = results[0] as Json;
      assertEquals(deniedGains(findings, planOf(planted), { refused }), []);
    });
  }

  it("says nothing of what is gained that the application denies", () => {
    const of = (id: string, grade: FindingGrade, gain: string, more: Partial<Finding> = {}) =>
      deniedGains([{ id, title: id, grade, kind: "security", gain, where: {}, ...more }], {}, {
        refused: ["callback.foreign_code"],
      });
    const script = "A script in a page reads the session.";
    assertEquals(of("cookie_flags", "B", script, { received: "'session' without SameSite" }), [
      "cookie_flags: script in a page reads",
    ]);
    assertEquals(of("cookie_flags", "B", script, { received: "'session' without HttpOnly" }), []);
    const lies = [
      of("callback.wrong_iss", "D", "A code of one provider is sent to another."),
      of("id_token.wrong_nonce", "D", "A stolen code is redeemed in another session."),
      of("id_token.alg_none", "F", "", { sender: "Anyone can do this." }),
      of("id_token.hs256_with_secret", "D", "Anyone makes an ID token."),
      of("second_user", "D", "", { sender: "Anyone can do this." }),
    ];
    assertEquals(lies.map(({ length }) => length), [1, 1, 1, 1, 1]);
  });
});

/** How the application of some rows is built. */
function planOf({ site, rows }: PlantedRows): SitePlan {
  const otherIssuer = rows.includes("other_issuer_callback");
  return site ?? { configuration: { otherIssuer } };
}
