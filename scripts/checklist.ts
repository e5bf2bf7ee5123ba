/** `deno task checklist` prints each row of tests/CHECKLIST.md with the tests that name it. */
import { readFileSync } from "node:fs";
import process from "node:process";
import { filesIn } from "./files.ts";

/** A requirement, or what went wrong in another project. */
type Row = ReturnType<typeof parseChecklist>[number];

export type TestTitle = Record<"file" | "title", string>;

const titlePattern =
  /(?:\b(?:it(?:\.\w+)?|describe)\(\s*|\[\s*|^ +(?=.*": ))(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/gm;
const needsRow = /^(?:[ATRBOX]\d\d|CVE-\d+-\d+|GHSA(?:-\w{4}){3}|GO-\d+-\d+|#\d+)$/;

/** Reads requirements, some with a reason for having no test, and incidents with what they break. */
export function parseChecklist(markdown: string) {
  return markdown.split("\n## Incidents\n").flatMap((part, at) =>
    part.split("\n").filter((line) => /^\| (?!id |identifier )/.test(line)).map((line) => {
      const [id = "", ...cells] = line.slice("| ".length, -" |".length).split(" | ");
      const [text = "", reason] = cells.join("; ").split(" No test: ");
      const kind = at === 1 ? "incident" : "requirement";
      const broken: string[] = at === 1 ? cells.at(-1)?.match(/\b[A-Z]\d\d\b/g) ?? [] : [];
      return { ids: id.split(", "), text, broken, reason, kind };
    })
  );
}

/** Reads the strings after `it(` and `describe(`, and the titles of rows of a table, in all tests. */
export function readTitles(folder: string): TestTitle[] {
  // The examples in the checklist's own test show no requirement.
  return filesIn(folder, /(?:(?<!^checklist)_test|rule_rows)\.tsx?$/).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(titlePattern)]
      .map(([, plain, template]) => ({ file, title: plain ?? template ?? "" }))
  );
}

const wordsOf = (text: string): string[] => text.match(/[\w#-]+/g) ?? [];
const isNamedBy = (title: string, id: string) =>
  wordsOf(id).every((word) => title.includes(word) && wordsOf(title).includes(word));

/** Returns the tests whose titles name a row. */
export function testsOf({ ids }: Pick<Row, "ids">, titles: readonly TestTitle[]): TestTitle[] {
  return titles.filter(({ title }) => ids.some((id) => isNamedBy(title, id)));
}

/** Returns what is wrong with rows and titles, in one sentence each. */
export function problemsOf(rows: readonly Row[], titles: readonly TestTitle[]): string[] {
  const ids = rows.flatMap((row) => row.ids);
  const unknown = titles.flatMap(({ file, title }) => {
    const known = ids.filter((id) => isNamedBy(title, id)).flatMap(wordsOf);
    return wordsOf(title).filter((word) => needsRow.test(word) && !known.includes(word))
      .map((word) => `${word} has no row (${file})`);
  });
  const wrong = rows.flatMap((row, at) => {
    const unknown = row.broken.filter((id) => !ids.includes(id));
    if (row.kind === "incident") return unknown.map((id) => `${id} is no requirement`);
    const isRepeated = rows.findIndex(({ ids }) => ids.some((id) => row.ids.includes(id))) < at;
    if (isRepeated) return [`${row.ids} has two rows`];
    const isShown = testsOf(row, titles).length > 0;
    if (isShown && row.reason) return [`${row.ids} has a test, and a reason for having none`];
    return isShown || row.reason ? [] : [`${row.ids} has neither a test nor a reason`];
  });
  return [...unknown, ...wrong];
}

// The test of this module imports it; in a bundle, `import.meta.main` would be true there as well.
if (process.argv[1]?.endsWith("/checklist.ts")) {
  const titles = readTitles("tests");
  const rows = parseChecklist(readFileSync("tests/CHECKLIST.md", "utf8"))
    .map((row) => ({ ...row, tests: testsOf(row, titles) }));
  for (const { ids, text, reason = "none names it.", tests } of rows) {
    const lines = tests.map(({ title, file }) => `${title}  (${file})`);
    if (lines.length === 0) lines.push(`No test: ${reason}`);
    console.log([`${ids.join(", ")}  ${text}`, ...lines].join("\n     "));
  }
  for (const [kind, all] of Map.groupBy(rows, ({ kind }) => kind)) {
    const { length } = all.filter(({ tests }) => tests.length > 0);
    console.log(`${length} of ${all.length} ${kind}s have a test.`);
  }
}
