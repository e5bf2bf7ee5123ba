/**
 * Runs the whole suite on Deno, Bun and Node, and believes none of them blindly.
 *
 *   deno task test [--only deno,bun,node] [--folder tests] [--deadline SECONDS] [WORD …]
 *
 * A WORD narrows the files to those whose path holds it, or another one of them.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { bundle } from "./bundle.ts";
import { type Ended, run } from "./child.ts";
import { readJunit } from "./junit.ts";
import { binary } from "./npx.ts";
import { count, differences, problemsOf, type SuiteRun } from "./verdict.ts";

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "deno,bun,node" },
    folder: { type: "string", default: "tests" },
    deadline: { type: "string", default: "1200" },
  },
});

const root = process.cwd();
const work = join(root, ".build", `tests-${process.pid}`);
const deadline = Number(values.deadline) * 1000;
const files = (await testFiles(values.folder)).filter((file) =>
  words.length === 0 || words.some((word) => file.includes(word))
);
/** The program itself, for the runtime that cannot read JSX. */
const program = join(work, "main.mjs");
const bundles = files.map((file) =>
  join(work, "tests", relative(values.folder, file).replace(/\.tsx?$/, ".test.mjs"))
);

/** How each runtime is asked to run the suite and to write a report. */
const runtimes: Record<string, (report: string) => Promise<Ended>> = {
  deno: (report) =>
    start([
      process.execPath,
      "test",
      "--allow-all",
      "--no-check",
      "--junit-path",
      report,
      ...files,
    ]),
  bun: async (report) =>
    start([
      await binary("bun@1"),
      "test",
      "--timeout",
      "60000",
      "--reporter=junit",
      "--reporter-outfile",
      report,
      ...bundles,
    ]),
  node: async (report) =>
    start([
      await binary("node@24"),
      "--test",
      // One that hangs is said by name; the deadline of the whole run would only end it.
      "--test-timeout=300000",
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      "--test-reporter=junit",
      "--test-reporter-destination",
      report,
      ...bundles,
    ]),
};

try {
  process.exitCode = await main();
} finally {
  for (const folder of [work, join(tmpdir(), `hallpass-${basename(work)}`)]) {
    await rm(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const names = values.only.split(",");
  if (files.length === 0) {
    throw new Error(
      `There is no test file in ${values.folder} whose path holds: ${words.join(", ")}`,
    );
  }
  await mkdir(work, { recursive: true });
  if (names.some((name) => name !== "deno")) bundleTests();
  const runs: SuiteRun[] = [];
  for (const name of names) runs.push(await runSuite(name));
  return conclude(runs);
}

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries.filter((entry) => /_test\.tsx?$/.test(entry)).map((entry) => join(folder, entry))
    .sort();
}

function bundleTests(): void {
  bundle({
    entryPoints: files,
    outdir: join(work, "tests"),
    outbase: values.folder,
    outExtension: { ".js": ".test.mjs" },
    splitting: true,
    external: ["esbuild"],
    sourcemap: "inline",
  });
  bundle({ entryPoints: ["src/main.ts"], outfile: program });
}

async function runSuite(runtime: string): Promise<SuiteRun> {
  console.log(`\n=== ${runtime}`);
  const report = join(work, `${runtime}.xml`);
  const started = performance.now();
  const ended = await runtimes[runtime](report);
  const cases = existsSync(report) ? readJunit(await readFile(report, "utf8")) : undefined;
  console.log(
    `=== ${runtime}: ${cases?.length ?? 0} tests in ${
      ((performance.now() - started) / 1000).toFixed(1)
    } s`,
  );
  return { runtime, ended, cases };
}

function start(command: string[]): Promise<Ended> {
  return run(command, {
    deadline,
    echo: true,
    env: { NO_COLOR: "1", HALLPASS_TEST_DENO: process.execPath, HALLPASS_TEST_MAIN: program },
  });
}

function conclude(runs: SuiteRun[]): number {
  const problems = [...runs.flatMap((suite) => problemsOf(suite, files)), ...differences(runs)];
  const skipped = new Set(
    runs.flatMap(({ cases }) => cases ?? []).filter((test) => test.outcome === "skipped").map((
      test,
    ) => `${test.name} ${test.message}`.trim()),
  );
  if (skipped.size > 0) {
    console.log(`\nSkipped:\n${[...skipped].map((name) => `  - ${name}`).join("\n")}`);
  }
  if (problems.length > 0) {
    console.error(`\nProblems:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
  }
  const failed = Math.max(count(runs, "failed"), problems.length);
  console.log(
    `\n${count(runs, "passed")} passed, ${failed} failed, ${count(runs, "skipped")} skipped`,
  );
  return problems.length > 0 ? 1 : 0;
}
