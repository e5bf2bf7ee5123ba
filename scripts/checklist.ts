/**
 * Prints which test shows which row of the protocol checklist. Nobody has to believe us.
 *
 *   deno task checklist
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

/** The rows of the checklist: authorization endpoint, token endpoint, elsewhere, RFC 9700, OpenID Connect. */
const rows: Record<string, number> = { A: 45, T: 36, R: 7, B: 26, O: 14 };

/** Rows that no test of ours can show, or that concern what is not built. */
const without: Record<string, string> = {
  A43: "sizes stand in the README",
  B02: "shown by A11, A13 and A18",
  B14: "there are no web messages",
};

const ids = Object.entries(rows).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, at) => `${letter}${String(at + 1).padStart(2, "0")}`)
);
const titles = await collectTitles();
let shown = 0;
for (const id of ids) {
  const tests = titles.filter(({ title }) => new RegExp(`\\b${id}\\b`).test(title));
  if (tests.length > 0) shown++;
  const told = tests.length > 0 ? tests.map(({ file, title }) => `${title}  (${file})`) : [without[id] ? `- ${without[id]}` : "-"];
  console.log(`${id}  ${told.join("\n     ")}`);
}
console.log(`\n${shown} of ${ids.length} rows have a test.\n\nPublished incidents of others, each shown not to be ours:\n`);
for (const [incident, tests] of incidentsIn(titles)) console.log(`${incident}  ${tests.join("\n     ")}`);
process.exitCode = 0;

/** What tests name by its published number. */
function incidentsIn(all: Array<{ file: string; title: string }>): Array<[incident: string, tests: string[]]> {
  const found = new Map<string, string[]>();
  for (const { file, title } of all) {
    for (const [incident] of title.matchAll(/CVE-\d{4}-\d+|GHSA(-\w{4}){3}|[\w-]+ #\d+/g)) {
      found.set(incident, [...found.get(incident) ?? [], `${title}  (${file})`]);
    }
  }
  return [...found].sort(([one], [other]) => one.localeCompare(other));
}

async function collectTitles(): Promise<Array<{ file: string; title: string }>> {
  const files = (await readdir("tests", { recursive: true })).filter((file) => file.endsWith("_test.ts")).sort();
  const found = await Promise.all(files.map(async (file) => {
    const source = await readFile(join("tests", file), "utf8");
    const strings = source.matchAll(/(?:it\(|^\s*\[)\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/gm);
    return [...strings].map(([, plain, template]) => ({ file, title: (plain ?? template).slice(0, 150) }));
  }));
  return found.flat();
}
