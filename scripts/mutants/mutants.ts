/**
 * Breaks one line at a time, and looks whether a test notices.
 *
 *   deno task mutants [--sample N] [--seed TEXT] [WORD …]
 *
 * A WORD selects the files whose path contains it. Each breakage is tried against the test files
 * that run its line, those first that run little else. One that no test can notice is an entry of
 * `equivalent.json`.
 */
import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { createSlots, runCommand } from "../child.ts";
import { filesIn } from "../files.ts";
import { type BreakageSite, findBreakages, sampleSites } from "./breakage_sites.ts";
import { type Coverage, measureCoverage } from "./coverage.ts";
import { isEquivalent, readEquivalents } from "./equivalents.ts";
import { copyProject, type ProjectCopy } from "./project_copy.ts";

type Outcome = "caught" | "equivalent" | "survived" | "not run by any test";

const folders = [
  ...["protocol", "grants", "issuer", "endpoints", "features", "http", "store"]
    .map((name) => `server/${name}`),
  "resource",
];

/** How many test files run at once; those that run little else come first. */
const batchSize = 6;

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "150" },
    seed: { type: "string", default: new Date().toISOString().slice(0, 10) },
  },
});

const equivalents = await readEquivalents();

await main();

async function main(): Promise<void> {
  const all = await findBreakages(folders.map((name) => `src/${name}`));
  const sites = sampleSites(
    all.filter(({ file }) => words.length === 0 || words.some((word) => file.includes(word))),
    { count: Number(values.sample), seed: values.seed },
  );
  console.log(`${sites.length} of ${all.length} breakages, --seed ${values.seed}`);
  const tests = filesIn("tests", /^(?!(?:once|examples|loaders)\/).*_test\.tsx?$/);
  const copies = await Promise.all(cpus().map(copyProject));
  const outcomes: Outcome[] = [];
  try {
    const [first] = copies;
    if (!first) throw new Error("Cannot count the processors.");
    const coverage = await measureCoverage(tests, first.folder, (done) => {
      if (done % 20 === 0) console.log(`measured which lines ${done} of ${tests.length} tests run`);
    });
    const inTurn = createSlots(copies.length);
    const free = [...copies];
    await Promise.all(sites.map((site) =>
      inTurn(async () => {
        const copy = free.pop() ?? first;
        const outcome = await outcomeOf(site, copy, coverage);
        free.push(copy);
        outcomes.push(outcome);
        console.log(`${outcomes.length}. ${outcome}: ${site.file}:${site.line}: ${site.what}`);
      })
    ));
  } finally {
    for (const { remove } of copies) await remove();
  }
  printVerdict(outcomes);
}

function printVerdict(outcomes: readonly Outcome[]): void {
  const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
  const noticeable = outcomes.length - count("equivalent");
  const share = (100 * count("caught") / noticeable).toFixed(1);
  const names = ["caught", "equivalent", "survived", "not run by any test"] as const;
  console.log(names.map((name) => `${count(name)} ${name}`).join(", "));
  console.log(`${share} % of those that change something were caught`);
  process.exitCode = count("caught") < 0.95 * noticeable ? 1 : 0;
}

async function outcomeOf(
  site: BreakageSite,
  copy: ProjectCopy,
  coverage: Coverage,
): Promise<Outcome> {
  if (isEquivalent(equivalents, site, await readFile(site.file, "utf8"))) return "equivalent";
  const covering = testsOf(site, coverage);
  if (covering.length === 0) return "not run by any test";
  return await copy.whileBroken(site, async () => {
    for (let at = 0; at < covering.length; at += batchSize) {
      if (await fails(covering.slice(at, at + batchSize), copy)) return "caught";
    }
    return "survived";
  });
}

/** Returns the test files that run a line, those first that run the fewest lines. */
function testsOf({ file, line }: BreakageSite, coverage: Coverage): string[] {
  return Object.entries(coverage)
    .filter(([, lines]) => lines[file]?.includes(line))
    .map(([test, lines]) => ({ test, size: Object.values(lines).flat().length }))
    .sort((a, b) => a.size - b.size)
    .map(({ test }) => test);
}

/** Reports whether a test fails or hangs. */
async function fails(tests: readonly string[], { folder }: ProjectCopy): Promise<boolean> {
  const command = [process.execPath, "test", "-A", "-q", "--no-check", "--fail-fast", ...tests];
  const { code, timedOut } = await runCommand(command, { timeout: 120_000, cwd: folder });
  return timedOut || code !== 0;
}
