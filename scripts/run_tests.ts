/**
 * Runs the tests. The usual run asks "did I break it?": everything in process on Deno, what touches
 * the platform on Bun and Node as well. A release asks "may this be published?": it begins with the
 * usual run, and adds all the rest.
 *
 *   deno task test [--release [--day NUMBER | --all]] [--only SUITE,…] [--clock SPEED] [--verbose]
 *     [--timeout SECONDS] [WORD …]
 *
 * A WORD selects the files whose path contains it, wherever they run; several WORDs select more
 * files. The path of a source, such as src/server/protocol/pkce.ts, selects its own tests, and
 * those that import it themselves or through one file. Without --only, their types are checked,
 * too. The suites are deno, bun, node, package and once; `--only bun` runs everything on Bun.
 * `--clock 60` runs deno alone, with a clock that is 60 times as fast, to find tests that read it
 * twice. What rarely differs takes turns in a release, by the day; `--all` runs all of it.
 */
import { mkdir, readFile, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type CommandOptions, type CommandResult, createSlots, runCommand } from "./child.ts";
import {
  fetchedVariable,
  fetchOnce,
  fetchSeconds,
  forPackage,
  reasonNotFetched,
  runFolder,
} from "./downloads.ts";
import { readJunit, type TestCase } from "./junit.ts";
import { selectFiles, turnOf } from "./tests/selection.ts";
import {
  buildCommand,
  createSuites,
  type Suite,
  type SuiteSettings,
  testVariables,
} from "./tests/suites.ts";
import { printVerdict, type SuiteRun, summaryOf } from "./tests/verdict.ts";

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    release: { type: "boolean", default: false },
    only: { type: "string" },
    folder: { type: "string", default: "tests" },
    clock: { type: "string" },
    all: { type: "boolean", default: false },
    day: { type: "string" },
    timeout: { type: "string", default: "1200" },
    verbose: { type: "boolean", default: false },
  },
});

/** What a release leaves out on this day. */
const turn = values.all ? undefined : turnOf(readDay(values.day));

/** Named like its twin in the system's folder for temporary files, which the tests use. */
const work = join(process.cwd(), ".build", `tests-${process.pid}`);
const settings: SuiteSettings = {
  folder: values.folder,
  work,
  clock: values.clock,
  timeout: Number(values.timeout),
  day: values.release ? turn?.day : undefined,
};
process.env.HALLPASS_TEST_RUN = basename(work);
/** How long suites and what they use have kept a processor busy. */
let cpuSeconds = 0;

try {
  process.exitCode = await main();
} finally {
  for (const folder of [work, runFolder()]) {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the number of a day since 1970: of today, if none is given. */
function readDay(given: string | undefined): number {
  if (given === undefined) return Math.floor(Date.now() / (24 * 60 * 60_000));
  if (/^\d+$/.test(given)) return Number(given);
  throw new Error(`--day takes the number of a day since 1970, and not '${given}'.`);
}

async function main(): Promise<number> {
  const { clock, folder, release } = values;
  const only = clock === undefined ? values.only?.split(",") ?? [] : ["deno"];
  await mkdir(work, { recursive: true });
  const selected = selectFiles({ folder, words, only, release, turn });
  const missing = words.filter((word) =>
    selectFiles({ folder, words: [word], only, release, turn }).flat().length === 0
  );
  if (missing.length > 0) console.error(`No test file's path contains ${missing.join(" or ")}.`);
  const parts = selected.map((files) => createSuites(files, settings));
  if (parts.flat().length === 0) {
    const filter = words.length > 0 ? ` whose path contains ${words.join(" or ")}` : "";
    console.error(`Cannot find a test file in ${folder}${filter}.`);
    return 1;
  }
  if (release && turn) {
    console.log(
      `Everything runs on Deno. Today, the programs and a sixth of the rest run on ${turn.runtime}; ` +
        `--day ${turn.day} repeats this choice, and --all leaves nothing out.`,
    );
  }
  // What a later part needs is fetched beside the first one; a suite reports what cannot be had.
  for (const { needs, uses } of parts.flat()) {
    for (const name of [...needs, ...uses]) fetchOnce(name).catch(() => {});
  }
  const run = createSuiteRunner(parts.flat().some(({ name }) => name.startsWith("once/")));
  const runs: SuiteRun[] = [];
  for (const part of parts) runs.push(...await runPart(part, run));
  return printVerdict(runs);
}

/** Runs suites side by side, then the one that nothing may disturb, and prints their sum. */
async function runPart(
  suites: readonly Suite[],
  run: (suite: Suite) => Promise<SuiteRun>,
): Promise<SuiteRun[]> {
  const started = performance.now();
  cpuSeconds = 0;
  const isAlone = ({ name }: Suite) => name === "deno/measured";
  const runs = await Promise.all(suites.filter((suite) => !isAlone(suite)).map(run));
  for (const suite of suites.filter(isAlone)) runs.push(await run(suite));
  const fetched = [...fetchSeconds].map(([name, seconds]) => `${name} in ${seconds.toFixed(1)} s`);
  if (fetched.length > 0) console.log(`Fetched meanwhile: ${fetched.join(", ")}`);
  fetchSeconds.clear();
  printLine("Together", runs.flatMap(({ cases }) => cases), started, cpuSeconds);
  console.log();
  return runs;
}

/**
 * Returns what runs a suite as soon as what it needs is fetched: one more at a time than there are
 * processors, since what starts engines and browsers often waits; with two more, a proxy waited for
 * the processor longer than a server takes to restart. The package is built once.
 */
function createSuiteRunner(hasTypes: boolean): (suite: Suite) => Promise<SuiteRun> {
  const inTurn = createSlots(availableParallelism() + 1);
  let built: Promise<void> | undefined;
  async function runFetched(suite: Suite): Promise<SuiteRun> {
    const reasons = await Promise.all(suite.needs.map(reasonNotFetched));
    const missing = reasons.filter((reason) => reason !== false);
    if (missing.length > 0) return skippedRun(suite, missing.join("; "));
    const env = await fetchedVariable([...suite.needs, ...suite.uses]);
    if (suite.usesPackage) await (built ??= buildPackage(hasTypes));
    return await inTurn(() => runSuite(suite, env));
  }
  return (suite) =>
    runFetched(suite).catch((cause) => {
      const result = { code: 1, output: String(cause), timedOut: false };
      return { suite: suite.name, files: suite.files, result, cases: [] };
    });
}

/** A suite whose runtime cannot be had is skipped as a whole, with the reason once. */
function skippedRun({ name }: Suite, message: string): SuiteRun {
  const test: TestCase = { file: "", name, outcome: "skipped", message, details: "" };
  const result = { code: 0, output: "", timedOut: false };
  return { suite: name, files: [], result, cases: [test] };
}

/** Builds the package. Only a release needs its types, which a compiler writes. */
async function buildPackage(hasTypes: boolean): Promise<void> {
  const env = hasTypes ? await fetchedVariable(forPackage) : {};
  const result = await runMeasured(buildCommand(work, hasTypes), { timeout: 300_000, env });
  if (result.code !== 0) throw new Error(`Cannot build the package: ${result.output}`);
}

async function runSuite(
  { name, files, command }: Suite,
  fetchedBefore: Record<string, string>,
): Promise<SuiteRun> {
  const report = join(work, `${name.replace("/", "-")}.xml`);
  const started = performance.now();
  const result = await runMeasured(await command(report), {
    timeout: settings.timeout * 1000,
    onOutput: values.verbose ? (text) => void process.stdout.write(text) : undefined,
    env: { ...testVariables(settings), ...fetchedBefore },
  });
  const cases = files.length === 0
    ? [toTest("deno check", result)]
    : readJunit(await readFile(report, "utf8").catch(() => ""));
  printLine(name, cases, started, result.cpuSeconds);
  return { suite: name, files, result, cases };
}

function toTest(name: string, { code, output }: CommandResult): TestCase {
  const outcome = code === 0 ? "passed" : "failed";
  return { file: "", name, outcome, message: "", details: output };
}

function printLine(
  name: string,
  cases: readonly TestCase[],
  started: number,
  cpuSeconds: number,
): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${name}: ${summaryOf(cases)} in ${seconds} s (CPU ${cpuSeconds.toFixed(1)} s)`);
}

/** Runs a command, and measures how long it and its children keep a processor busy. */
async function runMeasured(
  command: readonly string[],
  options: CommandOptions,
): Promise<CommandResult & { cpuSeconds: number }> {
  const file = join(work, `${crypto.randomUUID()}.times`);
  const shell = ["sh", "-c", '"$@"; code=$?; times >"$0"; exit $code', file];
  const hasShell = process.platform !== "win32";
  const result = await runCommand(hasShell ? [...shell, ...command] : command, options);
  const text = await readFile(file, "utf8").catch(() => "");
  // The times of the shell, and then of its children: "0m1.23s 0m0.45s".
  const times = [...text.matchAll(/(\d+)m([\d.]+)s/g)];
  const spent = times.reduce((sum, [, min, sec]) => sum + 60 * Number(min) + Number(sec), 0);
  cpuSeconds += spent;
  return { ...result, cpuSeconds: spent };
}
