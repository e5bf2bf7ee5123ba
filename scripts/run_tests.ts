/**
 * Runs the tests. The usual run asks "did I break it?": everything in process on Deno, what touches
 * the platform on Bun and Node as well. A release asks "may this be published?": it begins with the
 * usual run, and adds all the rest.
 *
 *   deno task test [--release] [--only SUITE,…] [--clock SPEED] [--verbose] [--timeout SECONDS]
 *     [WORD …]
 *
 * A WORD selects the files whose path contains it, wherever they run; several WORDs select more
 * files. The suites are deno, bun, node, package and once; `--only bun` runs everything on Bun.
 * `--clock 60` runs deno alone, with a clock that is 60 times as fast, to find tests that read it
 * twice.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import {
  fetchedVariable,
  fetchOnce,
  fetchSeconds,
  forPackage,
  reasonNotFetched,
  runFolder,
  usedBy,
} from "./downloads.ts";
import { readJunit, type TestCase } from "./junit.ts";
import { createSlots } from "./slots.ts";
import { runMeasured, secondsOf } from "./tests/measured_command.ts";
import { selectFiles } from "./tests/selection.ts";
import { buildCommand, createSuites, type Suite, testVariables } from "./tests/suites.ts";
import { createProgress } from "./tests/test_progress.ts";
import { countOf, differences, type Problem, problemsOf, type SuiteRun } from "./tests/verdict.ts";

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    release: { type: "boolean", default: false },
    only: { type: "string" },
    folder: { type: "string", default: "tests" },
    clock: { type: "string" },
    timeout: { type: "string", default: "1200" },
    verbose: { type: "boolean", default: false },
  },
});

const day = 24 * 60 * 60_000;
/** Everything in process runs on Bun and Node by turns. */
const turn = Math.floor(Date.now() / day) % 2 === 0 ? "bun" : "node";

/** Named like its twin in the system's folder for temporary files, which the tests use. */
const work = join(process.cwd(), ".build", `tests-${process.pid}`);
process.env.HALLPASS_TEST_RUN = basename(work);
const write = (text: string) => void process.stdout.write(text);
const isTerminal = process.stdout.isTTY && !values.verbose;
const beginLine = createProgress(isTerminal, write);
let cpuSeconds = 0;

try {
  process.exitCode = await main();
} finally {
  for (const folder of [work, runFolder()]) {
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const { clock, folder, release } = values;
  const only = clock === undefined ? values.only?.split(",") ?? [] : ["deno"];
  await mkdir(work, { recursive: true });
  const selected = await selectFiles({ folder, words, only, release, turn });
  const parts = selected.map((files) => createSuites(files, { folder, work, clock }));
  if (parts.flat().length === 0) {
    const filter = words.length > 0 ? ` whose path contains ${words.join(" or ")}` : "";
    throw new Error(`Cannot find a test file in ${folder}${filter}.`);
  }
  if (release) write(`Everything in process runs on Deno and, today, on ${turn}.\n`);
  // What a later part needs is fetched beside the first one; a suite reports what cannot be had.
  for (const name of parts.flat().flatMap(requirementsOf)) fetchOnce(name).catch(() => {});
  const runs: SuiteRun[] = [];
  for (const part of parts) runs.push(...await runPart(part));
  const problems = [...runs.flatMap(problemsOf), ...differences(runs)];
  return printVerdict(runs.flatMap(({ cases = [] }) => cases), problems);
}

function requirementsOf({ needs, files }: Suite): string[] {
  return [...needs, ...usedBy(files)];
}

/** Runs suites side by side, then the one that nothing may disturb, and prints their sum. */
async function runPart(suites: readonly Suite[]): Promise<SuiteRun[]> {
  const started = performance.now();
  cpuSeconds = 0;
  const run = createSuiteRunner(suites.some(({ name }) => name.startsWith("once/")));
  const isAlone = ({ name }: Suite) => name === "deno/measured";
  const runs = await Promise.all(suites.filter((suite) => !isAlone(suite)).map(run));
  for (const suite of suites.filter(isAlone)) runs.push(await run(suite));
  const fetched = [...fetchSeconds].map(([name, seconds]) => `${name} in ${seconds.toFixed(1)} s`);
  if (fetched.length > 0) write(`Fetched meanwhile: ${fetched.join(", ")}\n`);
  fetchSeconds.clear();
  const seconds = (performance.now() - started) / 1000;
  const cases = runs.flatMap(({ cases = [] }) => cases);
  write(`Together: ${summaryOf(cases)} ${secondsOf({ seconds, cpuSeconds })}\n\n`);
  return runs;
}

/**
 * Returns what runs a suite as soon as what it needs is fetched: one more at a time than there are
 * processors, since what starts engines and browsers often waits.
 */
function createSuiteRunner(hasTypes: boolean): (suite: Suite) => Promise<SuiteRun> {
  const inTurn = createSlots(availableParallelism() + 1);
  let built: Promise<void> | undefined;
  async function runFetched(suite: Suite): Promise<SuiteRun> {
    const reasons = await Promise.all(suite.needs.map(reasonNotFetched));
    const missing = reasons.filter((reason) => reason !== false);
    if (missing.length > 0) return skippedRun(suite, missing.join("; "));
    const fetchedBefore = await fetchedVariable(requirementsOf(suite));
    if (suite.usesPackage) await (built ??= buildPackage(hasTypes));
    return await inTurn(() => runSuite(suite, fetchedBefore));
  }
  return (suite) => runFetched(suite).catch((cause) => failedRun(suite, cause));
}

function failedRun({ name, files }: Suite, cause: unknown): SuiteRun {
  return { runtime: name, files, result: { code: 1, output: String(cause), timedOut: false } };
}

/** A suite whose runtime cannot be had is skipped as a whole, with the reason once. */
function skippedRun({ name }: Suite, message: string): SuiteRun {
  const test: TestCase = { file: "", name, outcome: "skipped", message, details: "" };
  const result = { code: 0, output: "", timedOut: false };
  return { runtime: name, files: [], result, cases: [test] };
}

/** Builds the package. Only a release needs its types, which a compiler writes. */
async function buildPackage(hasTypes: boolean): Promise<void> {
  if (hasTypes) await Promise.all(forPackage.map(reasonNotFetched));
  const result = await runMeasured(buildCommand(work, hasTypes), join(work, "build.times"), {
    timeout: 300_000,
  });
  cpuSeconds += result.cpuSeconds;
  if (result.code !== 0) throw new Error(`Cannot build the package: ${result.output}`);
}

async function runSuite(
  { name, files, command }: Suite,
  fetchedBefore: Record<string, string>,
): Promise<SuiteRun> {
  const report = join(work, `${name.replace("/", "-")}.xml`);
  await rm(report, { force: true });
  const progress = beginLine(name);
  const result = await runMeasured(await command(report), `${report}.times`, {
    timeout: Number(values.timeout) * 1000,
    onOutput: values.verbose ? write : progress.read,
    env: { ...testVariables(work, values.clock), ...fetchedBefore },
  });
  cpuSeconds += result.cpuSeconds;
  const cases = existsSync(report) ? readJunit(await readFile(report, "utf8")) : undefined;
  progress.finish(`${summaryOf(cases ?? [])} ${secondsOf(result)}`);
  return { runtime: name, files, result, cases };
}

/** Prints what was skipped and what went wrong, and returns the exit code. */
function printVerdict(cases: readonly TestCase[], problems: readonly Problem[]): number {
  const skipped = cases.filter(({ outcome }) => outcome === "skipped");
  const reasons = new Set(skipped.map(({ name, message }) => `${name} ${message}`.trim()));
  if (reasons.size > 0) console.log(`Skipped:\n${bulletsOf([...reasons])}\n`);
  for (const { summary, details } of problems) {
    console.log(`${summary}\n${details.replace(/^/gm, "    ").trimEnd()}\n`);
  }
  if (problems.length > 0) {
    console.log(`Problems:\n${bulletsOf(problems.map(({ summary }) => summary))}\n`);
  }
  // A problem without a failed test counts as a failure, too.
  console.log(summaryOf(cases, problems.length));
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
