/**
 * Prints each row of tests/CHECKLIST.md with the tests whose titles name it.
 *
 *   deno task checklist
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";

/** A requirement, or what went wrong in another project. */
type Row = ReturnType<typeof parseChecklist>[number];

/** The title of a test, or of several. */
export type TestTitle = Record<"file" | "title", string>;

const titlePattern =
  /(?:\b(?:it(?:\.\w+)?|describe)\(\s*|\[\s*|^ +(?=.*": ))(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/gm;
const needsRow = /^(?:[ATRBOX]\d\d|CVE-\d+-\d+|GHSA(?:-\w{4}){3}|GO-\d+-\d+|#\d+)$/;
/** Findings of a review, whose ids look like those of the checklist. */
const findings = ["R10", "R11", "R12"];

/**
 * Reads the rows of both tables: requirements, perhaps with the reason why no test shows them, and
 * incidents with the requirements that they break. An id may be a project's: "workers #92".
 */
export function parseChecklist(markdown: string) {
  return markdown.split("\n## Incidents\n").flatMap((part, at) =>
    part.split("\n").filter((line) => /^\| (?!id |identifier )/.test(line)).map((line) => {
      const [id = "", ...cells] = line.slice("| ".length, -" |".length).split(" | ");
      const [text = "", reason] = cells.join("; ").split(" No test: ");
      const broken: string[] = at === 1 ? cells.at(-1)?.match(/\b[A-Z]\d\d\b/g) ?? [] : [];
      return { ids: id.split(", "), text, broken, reason, isIncident: at === 1 };
    })
  );
}

/** Reads the strings after `it(` and `describe(`, and the titles of rows of a table, in all tests. */
export function readTitles(folder: string): TestTitle[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  // The examples in the checklist's own test show no requirement.
  return files.filter((file) =>
    /^(?!.*node_modules).*(?:(?<!^checklist)_test|rule_rows)\.tsx?$/.test(file)
  )
    .flatMap((file) =>
      [...readFileSync(join(folder, file), "utf8").matchAll(titlePattern)]
        .map(([, plain, template]) => ({ file, title: plain ?? template ?? "" }))
    );
}

const wordsOf = (text: string): string[] => text.match(/[\w#-]+/g) ?? [];
const isNamedBy = (title: string, id: string) =>
  wordsOf(id).every((word) => wordsOf(title).includes(word));

/** Returns the tests whose titles name a row. */
export function testsOf({ ids }: Pick<Row, "ids">, titles: readonly TestTitle[]): TestTitle[] {
  return titles.filter(({ title }) => ids.some((id) => isNamedBy(title, id)));
}

/** Returns what is wrong with rows and titles, in one sentence each. */
export function problemsOf(rows: readonly Row[], titles: readonly TestTitle[]): string[] {
  const ids = rows.flatMap((row) => row.ids);
  const unknown = titles.flatMap(({ file, title }) => {
    const known = [...ids.filter((id) => isNamedBy(title, id)).flatMap(wordsOf), ...findings];
    return wordsOf(title).filter((word) => needsRow.test(word) && !known.includes(word))
      .map((word) => `${word} has no row (${file})`);
  });
  const wrong = rows.flatMap((row, at) => {
    const unknown = row.broken.filter((id) => !ids.includes(id));
    if (row.isIncident) return unknown.map((id) => `${id} is no requirement`);
    const isRepeated = rows.findIndex(({ ids }) => ids.some((id) => row.ids.includes(id))) < at;
    if (isRepeated) return [`${row.ids} has two rows`];
    const isShown = testsOf(row, titles).length > 0;
    if (isShown && row.reason) return [`${row.ids} has a test, and a reason for having none`];
    return isShown || row.reason ? [] : [`${row.ids} has neither a test nor a reason`];
  });
  return [...unknown, ...wrong];
}

// The test of this module imports it; in a bundle, `import.meta.main` would be true there as well.
if (basename(process.argv[1] ?? "") === "checklist.ts") {
  const titles = readTitles("tests");
  const rows = parseChecklist(readFileSync("tests/CHECKLIST.md", "utf8"));
  for (const row of rows) {
    const tests = testsOf(row, titles).map(({ title, file }) => `${title}  (${file})`);
    const lines = tests.length > 0 ? tests : [`No test: ${row.reason ?? "none names it."}`];
    console.log([`${row.ids.join(", ")}  ${row.text}`, ...lines].join("\n     "));
  }
  for (const [isIncident, all] of Map.groupBy(rows, ({ isIncident }) => isIncident)) {
    const { length } = all.filter((row) => testsOf(row, titles).length > 0);
    const kind = isIncident ? "incidents" : "requirements";
    console.log(`${length} of ${all.length} ${kind} have a test.`);
  }
}
