/**
 * Prints each row of tests/CHECKLIST.md with the tests that show it.
 *
 *   deno task checklist
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";

/** A row of the first part of the checklist. */
export interface Requirement {
  id: string;
  section: string;
  level: string;
  text: string;
  /** Why no test shows it. */
  reason?: string | undefined;
}

/** A row of the second part: what went wrong in another project. */
export interface Incident {
  /** An issue is named by its project and its number, such as "workers #92". */
  identifiers: string[];
  project: string;
  failure: string;
  /** The requirements that it breaks, or a rule in words. */
  rule: string;
}

export interface Checklist {
  requirements: Requirement[];
  incidents: Incident[];
}

export interface TestTitle {
  file: string;
  title: string;
}

const titlePattern =
  /(?:\b(?:it(?:\.\w+)?|describe)\(\s*|\[\s*|^ +(?=.*": ))(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/gm;
const needsRow = /^(?:[ATRBOX]\d\d|CVE-\d+-\d+|GHSA(?:-\w{4}){3}|GO-\d+-\d+|#\d+)$/;
/** Findings of a review, whose ids look like those of the checklist. */
const findings = ["R10", "R11", "R12"];

// The test of this module imports it; in a bundle, `import.meta.main` would be true there as well.
if (basename(process.argv[1] ?? "") === "checklist.ts") {
  printReport(parseChecklist(readFileSync("tests/CHECKLIST.md", "utf8")), readTitles("tests"));
}

export function parseChecklist(markdown: string): Checklist {
  const [requirements = [], incidents = []] = markdown.split("\n## Incidents\n").map(rowsOf);
  return {
    requirements: requirements.map(([id = "", section = "", level = "", requirement = ""]) => {
      const [text = "", reason] = requirement.split(" No test: ");
      return { id, section, level, text, reason };
    }),
    incidents: incidents.map(([identifiers = "", project = "", failure = "", rule = ""]) => {
      return { identifiers: identifiers.split(", "), project, failure, rule };
    }),
  };
}

/** Returns the cells of every table row except the headings. */
function rowsOf(markdown: string): string[][] {
  const rows = markdown.split("\n").filter((line) => /^\| (?!id |identifier )/.test(line));
  return rows.map((row) => row.slice("| ".length, -" |".length).split(" | "));
}

/** Reads the strings after `it(` and `describe(`, and the titles of rows of a table. */
export function readTitles(folder: string): TestTitle[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  // The examples in the checklist's own test show no requirement.
  const tests = files.filter((file) =>
    /_test\.tsx?$/.test(file) && file !== "checklist_test.ts" && !file.includes("node_modules")
  );
  return tests.flatMap((file) => {
    const source = readFileSync(join(folder, file), "utf8");
    const found = [...source.matchAll(titlePattern)];
    return found.map(([, plain, template]) => ({ file, title: plain ?? template ?? "" }));
  });
}

/** Returns the tests whose titles name one of these identifiers. */
export function testsOf(identifiers: readonly string[], titles: readonly TestTitle[]): TestTitle[] {
  return titles.filter(({ title }) => {
    const words = wordsOf(title);
    return identifiers.some((identifier) => isNamedBy(words, identifier));
  });
}

/** Returns the ids and incidents in titles that have no row. */
export function unknownNames(checklist: Checklist, titles: readonly TestTitle[]): string[] {
  const ids = checklist.requirements.map(({ id }) => id);
  const rows = [...ids, ...checklist.incidents.flatMap(({ identifiers }) => identifiers)];
  return titles.flatMap(({ file, title }) => {
    const words = wordsOf(title);
    const named = rows.filter((identifier) => isNamedBy(words, identifier)).flatMap(wordsOf);
    const known = [...named, ...findings];
    const unknown = words.filter((word) => needsRow.test(word) && !known.includes(word));
    return unknown.map((word) => `${word} (${file})`);
  });
}

function wordsOf(text: string): string[] {
  return text.match(/[\w#-]+/g) ?? [];
}

function isNamedBy(words: readonly string[], identifier: string): boolean {
  return wordsOf(identifier).every((word) => words.includes(word));
}

/** Returns the requirements with neither a test nor a reason for having none, or with both. */
export function unprovenRows(checklist: Checklist, titles: readonly TestTitle[]): string[] {
  return checklist.requirements.flatMap(({ id, reason }) => {
    const isShown = testsOf([id], titles).length > 0;
    if (isShown && reason) return [`${id} has a test, and a reason for having none`];
    return isShown || reason ? [] : [`${id} has neither a test nor a reason`];
  });
}

function printReport({ requirements, incidents }: Checklist, titles: readonly TestTitle[]): void {
  const required = requirements.map(({ id, section, level, text, reason }) => ({
    heading: `${id}  ${text} (${section}; ${level})`,
    tests: testsOf([id], titles),
    otherwise: `No test: ${reason ?? "none yet."}`,
  }));
  const happened = incidents.map(({ identifiers, project, failure, rule }) => ({
    heading: `${identifiers.join(", ")}  ${project}: ${failure} (${rule})`,
    tests: testsOf(identifiers, titles),
    otherwise: "No test names it.",
  }));
  for (const { heading, tests, otherwise } of [...required, ...happened]) {
    const lines = tests.map(({ title, file }) => `${title}  (${file})`);
    console.log([heading, ...lines.length > 0 ? lines : [otherwise]].join("\n     "));
  }
  console.log(`\n${countShown(required)} of ${required.length} requirements have a test.`);
  console.log(`${countShown(happened)} of ${happened.length} incidents have a test.`);
}

function countShown(rows: ReadonlyArray<{ tests: TestTitle[] }>): number {
  return rows.filter(({ tests }) => tests.length > 0).length;
}
