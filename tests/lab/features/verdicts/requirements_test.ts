import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { missingIn, untestedIn } from "../../../../src/lab/features/verdicts/parts.ts";
import { requirements } from "../../../../src/lab/features/verdicts/requirements.ts";
import { ruleCatalogue } from "../../../../src/lab/util/rule_catalogue.ts";
import table from "../../../../static/requirements.json" with { type: "json" };
import asvs from "./asvs_5_0_0.json" with { type: "json" };

const { states, senders, standards } = table;

/** The members that a requirement has besides those of each, by its state. */
const members: Readonly<Record<string, string>> = {
  "checked": "checks",
  "in part": "checks",
  "not yet": "",
  "second party": "needs",
  "scripts": "unseen",
  "never": "unseen",
} satisfies Record<keyof typeof states, string>;

describe("The table of requirements", () => {
  it("has no id twice", () => {
    const ids = requirements.map(({ id }) => id);
    assertEquals(ids.filter((id, at) => ids.indexOf(id) !== at || !/^[a-z]+[\w.-]*$/.test(id)), []);
  });

  it("says who could break each, on which side, and how far that is checked", () => {
    for (const { id, sender, side, state, ...row } of requirements) {
      assert(Object.hasOwn(senders, sender), id);
      assert(["application", "api", "both"].includes(side), id);
      const others = (["checks", "needs", "unseen"] as const).filter((each) => row[each]);
      assertEquals(others.join(), members[state], id);
    }
  });

  it("says nothing is checked without a check, by any of our means", () => {
    for (const { id, checks } of requirements) {
      if (checks) assert(Object.values(checks).flat().length > 0, id);
    }
  });

  it("names for each requirement a section of a standard, which was looked up once", () => {
    const names = Object.keys(standards);
    for (const { id, sources } of requirements) {
      const found = Object.entries(sources) as Array<[string, string[]]>;
      assert(found.length > 0, id);
      for (const [standard, sections] of found) {
        assert(names.includes(standard) && sections.length > 0, `${id}: ${standard}`);
      }
    }
    for (const [name, standard] of Object.entries(standards)) {
      assertEquals(Object.keys(standard), ["title", "verified"], name);
    }
  });

  it("names each section of a specification by one number", () => {
    const numbered = /^(RFC|OpenID Connect|JARM|draft-|ASVS|CWE)/;
    for (const { id, sources } of requirements) {
      for (const [standard, sections] of Object.entries(sources) as Array<[string, string[]]>) {
        if (!numbered.test(standard)) continue;
        assertEquals(sections.filter((each) => !/^\d+(\.\d+)*$/.test(each)), [], id);
      }
    }
  });

  it("names requirements that the OWASP ASVS has at its tag v5.0.0", () => {
    const counts: Readonly<Record<string, number>> = asvs;
    for (const { id, sources } of requirements) {
      const { "ASVS 5.0.0": ids = [] } = sources as Record<string, string[]>;
      for (const each of ids) {
        const [, section = "", number] = /^(\d+\.\d+)\.(\d+)$/.exec(each) ?? [];
        assert(Number(number) <= (counts[section] ?? 0), `${id}: ${each}`);
      }
    }
  });

  it("names rules that the server has", () => {
    const known = ruleCatalogue.rules.map(({ id }) => id);
    const named = requirements.flatMap(({ checks }) => checks?.rules ?? []);
    assertEquals(named.filter((id) => !known.includes(id)), []);
  });
});

describe("What a drill did not test", () => {
  const refresh = { fault: "refresh.wrong_iss", outcome: "unmet", reason: "It was not met." };
  const none = { findings: [], worstOf: () => "D" as const };
  const inUse = { ...none, isUsed: () => true };

  it("is a part of the table that is in use, and whose checks showed nothing", () => {
    const [part, ...others] = untestedIn("application", { outcomes: [refresh], checks: [] }, inUse);
    assertEquals([part?.what, part?.used, others], ["refresh", true, []]);
    assertStringIncludes(part?.why ?? "", "--refresh URL");
  });

  it("is nothing that is not used, or that another check of the part showed", () => {
    const met = { ...refresh, fault: "refresh.lost", outcome: "refused" };
    const untested = (outcomes: object[], used?: boolean) =>
      untestedIn("application", { outcomes: outcomes as typeof refresh[], checks: [] }, {
        ...none,
        isUsed: () => used,
      });
    assertEquals([untested([refresh]), untested([refresh, met], true)], [[], []]);
  });

  it("is named with what another drill may decide, instead of as a part", () => {
    const outcomes = [{ ...refresh, undecided: true }];
    const [part] = untestedIn("application", { outcomes, checks: [] }, inUse);
    assertEquals([part?.what, part?.used], ["refresh.wrong_iss", true]);
    const found = { ...inUse, findings: [{ grade: "F" as const }] };
    const [low] = untestedIn("application", { outcomes, checks: [] }, found);
    assertEquals(low?.used, false);
    assertStringIncludes(part?.why ?? "", "--patience");
  });

  it("is known to a build that requires it", () => {
    assertEquals(missingIn({ outcomes: [refresh], checks: [] }, "application", ["refresh"]), [
      "refresh",
    ]);
  });
});
