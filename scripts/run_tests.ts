/**
 * Runs the tests: those in process on Deno, Bun and Node, those in tests/once on Deno alone.
 *
 *   deno task test [--only deno,bun,node,once] [--verbose] [--timeout SECONDS] [WORD …]
 *
 * A WORD selects the files whose path contains it; several WORDs select more files.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { bundle, optionalPackages } from "./bundle.ts";
import { runCommand } from "./child.ts";
import { readJunit, type TestCase } from "./junit.ts";
import { binary } from "./npx.ts";
import { createProgress } from "./test_progress.ts";
import { countOf, differences, type Problem, problemsOf, type SuiteRun } from "./verdict.ts";

/** A set of files, and how a runtime runs them. */
interface Suite {
  name: string;
  files: string[];
  /** Returns the command that runs the files and writes a report. */
  command(report: string): Promise<string[]>;
}

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "deno,bun,node,once" },
    folder: { type: "string", default: "tests" },
    timeout: { type: "string", default: "1200" },
    verbose: { type: "boolean", default: false },
  },
});

const root = process.cwd();
const work = join(root, ".build", `tests-${process.pid}`);
/** The program as a bundle, for the runtime that cannot read JSX. */
const program = join(work, "main.mjs");
const once = join(values.folder, "once");
const files = (await testFiles()).filter((file) =>
  words.length === 0 || words.some((word) => file.includes(word))
);
const inProcess = files.filter((file) => !file.startsWith(`${once}/`));
const bundles = inProcess.map((file) =>
  join(work, "tests", relative(values.folder, file).replace(/\.tsx?$/, ".test.mjs"))
);

const denoTest = [process.execPath, "test", "--allow-all", "--no-check"];

const suites: Suite[] = [
  {
    name: "deno",
    files: inProcess,
    command: async (report) => [...denoTest, "--junit-path", report, ...inProcess],
  },
  {
    name: "bun",
    files: inProcess,
    command: async (report) => [
      await binary("bun@1"),
      "test",
      "--timeout=60000",
      "--reporter=junit",
      `--reporter-outfile=${report}`,
      ...bundles,
    ],
  },
  {
    name: "node",
    files: inProcess,
    command: async (report) => [
      await binary("node@24"),
      "--test",
      // Names a test that hangs; the timeout of the whole run would only end it.
      "--test-timeout=300000",
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      "--test-reporter=junit",
      `--test-reporter-destination=${report}`,
      ...bundles,
    ],
  },
  {
    name: "once",
    files: files.filter((file) => file.startsWith(`${once}/`)),
    command: async (report) => [
      ...denoTest,
      `--config=${once}/deno.json`,
      "--junit-path",
      report,
      ...files.filter((file) => file.startsWith(`${once}/`)),
    ],
  },
];

try {
  process.exitCode = await main();
} finally {
  for (const folder of [work, join(tmpdir(), `hallpass-${basename(work)}`)]) {
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const names = values.only.split(",");
  const chosen = suites.filter(({ name, files }) => names.includes(name) && files.length > 0);
  if (chosen.length === 0) {
    const filter = words.length > 0 ? ` whose path contains ${words.join(" or ")}` : "";
    throw new Error(`Cannot find a test file in ${values.folder}${filter}.`);
  }
  await mkdir(work, { recursive: true });
  if (chosen.some(({ name }) => name === "bun" || name === "node")) bundleTests();
  // Node runs the program from it, in tests/once too.
  if (chosen.some(({ name }) => name !== "deno")) bundleProgram();
  const runs: SuiteRun[] = [];
  const problems: Problem[] = [];
  for (const suite of chosen) {
    const run = await runSuite(suite);
    runs.push(run);
    problems.push(...problemsOf(run, suite.files));
  }
  problems.push(...differences(runs.filter(({ runtime }) => runtime !== "once")));
  return printVerdict(runs.flatMap(({ cases = [] }) => cases), problems);
}

async function testFiles(): Promise<string[]> {
  const entries = await readdir(values.folder, { recursive: true });
  const tests = entries.filter((entry) =>
    /_test\.tsx?$/.test(entry) && !entry.includes("node_modules")
  );
  return tests.map((entry) => join(values.folder, entry)).sort();
}

function bundleTests(): void {
  bundle({
    entryPoints: inProcess,
    outdir: join(work, "tests"),
    outbase: values.folder,
    outExtension: { ".js": ".test.mjs" },
    splitting: true,
    external: ["esbuild", ...optionalPackages],
    sourcemap: "inline",
  });
}

function bundleProgram(): void {
  bundle({
    entryPoints: ["src/main.ts"],
    outfile: program,
    external: [...optionalPackages],
  });
}

async function runSuite({ name, command }: Suite): Promise<SuiteRun> {
  const report = join(work, `${name}.xml`);
  const write = (text: string) => void process.stdout.write(text);
  const isTerminal = process.stdout.isTTY && !values.verbose;
  const progress = createProgress(name, { isTerminal, write });
  const started = performance.now();
  const result = await runCommand(await command(report), {
    timeout: Number(values.timeout) * 1000,
    onOutput: values.verbose ? write : progress.read,
    env: { NO_COLOR: "1", HALLPASS_TEST_DENO: process.execPath, HALLPASS_TEST_MAIN: program },
  });
  const cases = existsSync(report) ? readJunit(await readFile(report, "utf8")) : undefined;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  progress.finish(`${summaryOf(cases ?? [])} in ${seconds} s`);
  return { runtime: name, result, cases };
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
