import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import {
  parseChecklist,
  readTitles,
  testsOf,
  type TestTitle,
  unknownNames,
  unprovenRows,
} from "../scripts/checklist.ts";
import { present } from "./support/present.ts";

const checklist = parseChecklist(readFileSync("tests/CHECKLIST.md", "utf8"));
const titles = readTitles("tests");
const { requirements, incidents } = checklist;

const sample = parseChecklist(`
| id | section | level | requirement |
|---|---|---|---|
| A01 | OAuth 2.1, 3.1 | MUST | GET works. |
| A02 | OAuth 2.1, 3.1 | MAY | Sizes are documented. No test: the README states them. |

## Incidents

| identifier | project | what went wrong | rule |
|---|---|---|---|
| CVE-2020-15233, GHSA-rfq3-w54c-f9q5 | fosite | The query could differ. | A01 |
| workers #92 | workers-oauth-provider | A redirect was open. | A02 |
`);

function titled(...titles: string[]): TestTitle[] {
  return titles.map((title) => ({ file: "x_test.ts", title }));
}

describe("The checklist", () => {
  it("has a row for each id and incident that a test title names", () => {
    assertEquals(unknownNames(checklist, titles), []);
  });

  it("has a test or a reason for each requirement, and never both", () => {
    assertEquals(unprovenRows(checklist, titles), []);
  });

  it("has each id once", () => {
    const ids = requirements.map(({ id }) => id);
    assertEquals(ids.filter((id, at) => ids.indexOf(id) !== at), []);
  });

  it("names no rule that is not one of its ids", () => {
    const ids = new Set(requirements.map(({ id }) => id));
    const named = incidents.flatMap(({ rule }) => rule.match(/\b[A-Z]\d\d\b/g) ?? []);
    assertEquals(named.filter((id) => !ids.has(id)), []);
  });
});

describe("parseChecklist", () => {
  it("reads a requirement, and the reason why no test shows it", () => {
    const { requirements } = sample;
    assertEquals(requirements.map(({ id, level, text, reason }) => [id, level, text, reason]), [
      ["A01", "MUST", "GET works.", undefined],
      ["A02", "MAY", "Sizes are documented.", "the README states them."],
    ]);
  });

  it("reads an incident with all of its identifiers", () => {
    assertEquals(sample.incidents.map(({ identifiers, rule }) => [identifiers, rule]), [
      [["CVE-2020-15233", "GHSA-rfq3-w54c-f9q5"], "A01"],
      [["workers #92"], "A02"],
    ]);
  });
});

describe("unknownNames", () => {
  const unknown = [
    ["A03", "A01 A03 is refused"],
    ["T01", "T01: is refused"],
    ["CVE-2020-15234", "is refused (CVE-2020-15233, CVE-2020-15234)"],
    ["GHSA-rfq3-w54c-f9q6", "GHSA-rfq3-w54c-f9q6 is refused"],
    ["GO-2026-4861", "is refused (GO-2026-4861)"],
    ["#93", "workers #92 #93: is refused"],
    ["#92", "fosite #92: is refused"],
  ];
  for (const [name, title] of unknown) {
    it(`finds a name without a row in '${title}'`, () => {
      assertEquals(unknownNames(sample, titled(present(title))), [`${name} (x_test.ts)`]);
    });
  }

  it("finds nothing if each name has a row", () => {
    const known = titled("A01 A02 CVE-2020-15233 (workers #92)", "RS256, B2B, #x, xA03 and a#9");
    assertEquals(unknownNames(sample, known), []);
  });
});

describe("unprovenRows", () => {
  it("finds a requirement without a test", () => {
    assertEquals(unprovenRows(sample, []), ["A01 has neither a test nor a reason"]);
  });

  it("finds a reason that is no longer true", () => {
    const tested = titled("A01 A02 both");
    assertEquals(unprovenRows(sample, tested), ["A02 has a test, and a reason for having none"]);
  });
});

describe("testsOf", () => {
  const titles = titled("A01 one", "xA01 two", "workers #92 #93: three", "fosite #93: four");

  it("takes an id only as a word of its own", () => {
    assertEquals(testsOf(["A01"], titles), titles.slice(0, 1));
  });

  it("takes an issue only with its project", () => {
    assertEquals(testsOf(["workers #93"], titles), titles.slice(2, 3));
  });
});
