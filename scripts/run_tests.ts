/**
 * Runs the tests: those in process on Deno, those that touch the platform on Bun and Node as well,
 * those that need only what the package exports against the package, and tests/once on Deno alone.
 *
 *   deno task test [--all | --rest | --quick] [--only SUITE,…] [--clock SPEED] [--verbose]
 *     [--timeout SECONDS] [WORD …]
 *
 * `--all` runs everything in process on each runtime, `--rest` what `--all` adds to the usual run,
 * and `--quick` on Deno what is fast. A WORD selects the files whose path contains it; several
 * WORDs select more files. The suites are deno, bun, node, import, require and once. `--clock 60`
 * runs deno alone, with a clock that is 60 times as fast, to find tests that read it twice.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { runCommand } from "./child.ts";
import { fetchedVariable, forPackage, reasonNotFetched, runFolder, usedBy } from "./downloads.ts";
import { readJunit, type TestCase } from "./junit.ts";
import { createSlots } from "./slots.ts";
import { type Scope, selectFiles } from "./tests/selection.ts";
import { buildPackage, createSuites, type Suite, testVariables } from "./tests/suites.ts";
import { createProgress } from "./tests/test_progress.ts";
import { countOf, differences, type Problem, problemsOf, type SuiteRun } from "./tests/verdict.ts";

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    rest: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "deno,bun,node,import,require,once" },
    folder: { type: "string", default: "tests" },
    clock: { type: "string" },
    timeout: { type: "string", default: "1200" },
    verbose: { type: "boolean", default: false },
  },
});

/** Named like its twin in the system's folder for temporary files, which the tests use. */
const work = join(process.cwd(), ".build", `tests-${process.pid}`);
process.env.HALLPASS_TEST_RUN = basename(work);
const write = (text: string) => void process.stdout.write(text);
const isTerminal = process.stdout.isTTY && !values.verbose;
const beginLine = createProgress({ isTerminal, write });

try {
  process.exitCode = await main();
} finally {
  for (const folder of [work, runFolder()]) {
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const files = await selectFiles({ folder: values.folder, words, scope: scopeOf(values) });
  const { clock, folder, only, quick } = values;
  const names = clock === undefined ? only.split(",") : ["deno"];
  await mkdir(work, { recursive: true });
  const suites = createSuites({ files, names, folder, work, parallel: quick, clock });
  if (suites.length === 0) {
    const filter = words.length > 0 ? ` whose path contains ${words.join(" or ")}` : "";
    throw new Error(`Cannot find a test file in ${values.folder}${filter}.`);
  }
  const runs = await runAll(suites);
  const problems = [...runs.flatMap(problemsOf), ...differences(runs)];
  return printVerdict(runs.flatMap(({ cases = [] }) => cases), problems);
}

function scopeOf({ all, rest, quick }: Readonly<Record<Exclude<Scope, "usual">, boolean>>): Scope {
  if (all) return "all";
  if (rest) return "rest";
  return quick ? "quick" : "usual";
}

/**
 * Runs suites side by side, as soon as what they need is fetched: one more than there are
 * processors, since what starts engines and browsers often waits. The longest ones come first.
 */
async function runAll(suites: readonly Suite[]): Promise<SuiteRun[]> {
  const inTurn = createSlots(availableParallelism() + 1);
  let built: Promise<void> | undefined;
  async function runFetched(suite: Suite): Promise<SuiteRun> {
    const { files, needs = [], startsProgram = false } = suite;
    const required = [...needs, ...startsProgram ? forPackage : []];
    const reasons = (await Promise.all(required.map(reasonNotFetched))).filter((one) => one);
    if (reasons.length > 0) return skippedRun(suite, reasons.join("; "));
    const variable = await fetchedVariable([...required, ...usedBy(files)]);
    if (startsProgram) await (built ??= buildPackage(work));
    return await inTurn(() => runSuite(suite, variable));
  }
  const failedRun = ({ name, files }: Suite, cause: unknown): SuiteRun => {
    const result = { code: 1, output: String(cause), timedOut: false };
    return { runtime: name, files, result };
  };
  return await Promise.all(
    suites.map((suite) => runFetched(suite).catch((cause) => failedRun(suite, cause))),
  );
}

/** A suite whose runtime cannot be had is skipped as a whole, with the reason once. */
function skippedRun({ name }: Suite, message: string): SuiteRun {
  const test: TestCase = { file: "", name, outcome: "skipped", message, details: "" };
  const result = { code: 0, output: "", timedOut: false };
  return { runtime: name, files: [], result, cases: [test] };
}

async function runSuite(
  { name, files, command }: Suite,
  fetchedBefore: Record<string, string>,
): Promise<SuiteRun> {
  const report = join(work, `${name.replace("/", "-")}.xml`);
  const progress = beginLine(name);
  const started = performance.now();
  const result = await runCommand(await command(report), {
    timeout: Number(values.timeout) * 1000,
    onOutput: values.verbose ? write : progress.read,
    env: { ...testVariables(work, values.clock), ...fetchedBefore },
  });
  const cases = existsSync(report) ? readJunit(await readFile(report, "utf8")) : undefined;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  progress.finish(`${summaryOf(cases ?? [])} in ${seconds} s`);
  return { runtime: name, files, result, cases };
}

/** Prints what was skipped and what went wrong, and returns the exit code. */
function printVerdict(cases: readonly TestCase[], problems: readonly Problem[]): number {
  const skipped = cases.filter(({ outcome }) => outcome === "skipped");
  const reasons = new Set(skipped.map(({ name, message }) => `${name} ${message}`.trim()));
  if (reasons.size > 0) console.log(`\nSkipped:\n${bulletsOf([...reasons])}`);
  for (const { summary, details } of problems) {
    console.log(`\n${summary}\n${details.replace(/^/gm, "    ").trimEnd()}`);
  }
  if (problems.length > 0) {
    console.log(`\nProblems:\n${bulletsOf(problems.map(({ summary }) => summary))}`);
  }
  // A problem without a failed test counts as a failure, too.
  console.log(`\n${summaryOf(cases, problems.length)}`);
  return problems.length > 0 ? 1 : 0;
}

function bulletsOf(items: readonly string[]): string {
  return items.map((item) => `  - ${item}`).join("\n");
}

function summaryOf(cases: readonly TestCase[], problems = 0): string {
  const failed = Math.max(countOf(cases, "failed"), problems);
  return `${countOf(cases, "passed")} passed, ${failed} failed, ${
    countOf(cases, "skipped")
  } skipped`;
}
