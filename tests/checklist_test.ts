import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import {
  parseChecklist,
  problemsOf,
  readTitles,
  testsOf,
  type TestTitle,
} from "../scripts/checklist.ts";
import { present } from "./support/present.ts";

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

const tested = titled("A01");

describe("The checklist", () => {
  it("has one row for each name in a title, and a test or a reason for each requirement", () => {
    const rows = parseChecklist(readFileSync("tests/CHECKLIST.md", "utf8"));
    assertEquals(problemsOf(rows, readTitles("tests")), []);
  });
});

describe("parseChecklist", () => {
  it("reads a requirement, and the reason why no test shows it", () => {
    assertEquals(sample.slice(0, 2).map(({ ids, text, reason }) => [ids, text, reason]), [
      [["A01"], "OAuth 2.1, 3.1; MUST; GET works.", undefined],
      [["A02"], "OAuth 2.1, 3.1; MAY; Sizes are documented.", "the README states them."],
    ]);
  });

  it("reads an incident with all of its identifiers", () => {
    assertEquals(sample.slice(2).map(({ ids, broken }) => [ids, broken]), [
      [["CVE-2020-15233", "GHSA-rfq3-w54c-f9q5"], ["A01"]],
      [["workers #92"], ["A02"]],
    ]);
  });
});

describe("problemsOf", () => {
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
      const titles = [...tested, ...titled(present(title))];
      assertEquals(problemsOf(sample, titles), [`${name} has no row (x_test.ts)`]);
    });
  }

  it("finds nothing if each name has a row", () => {
    const known = titled("A01 CVE-2020-15233 (workers #92)", "RS256, B2B, #x, xA03 and a#9");
    assertEquals(problemsOf(sample, known), []);
  });

  it("finds a requirement without a test, and a reason that is no longer true", () => {
    assertEquals(problemsOf(sample, []), ["A01 has neither a test nor a reason"]);
    assertEquals(problemsOf(sample, titled("A01 A02 both")), [
      "A02 has a test, and a reason for having none",
    ]);
  });

  it("finds an id with two rows, and an incident that breaks no requirement", () => {
    const [one, incident] = [present(sample[0]), present(sample[2])];
    const rows = [one, one, { ...incident, broken: ["A09"] }];
    assertEquals(problemsOf(rows, tested), ["A01 has two rows", "A09 is no requirement"]);
  });
});

describe("testsOf", () => {
  const titles = titled("A01 one", "xA01 two", "workers #92 #93: three", "fosite #93: four");

  it("takes an id only as a word of its own", () => {
    assertEquals(testsOf({ ids: ["A01"] }, titles), titles.slice(0, 1));
  });

  it("takes an issue only with its project", () => {
    assertEquals(testsOf({ ids: ["workers #93"] }, titles), titles.slice(2, 3));
  });
});
