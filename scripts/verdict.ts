import type { CommandResult } from "./child.ts";
import type { TestCase } from "./junit.ts";

/** How a suite went on one runtime. */
export interface SuiteRun {
  runtime: string;
  result: CommandResult;
  /** Undefined if the runner wrote no report. */
  cases?: TestCase[] | undefined;
}

/** One reason why a run is not green. */
export interface Problem {
  summary: string;
  details: string;
}

/** How many lines of a runner's output explain a problem that no test explains. */
const excerptLines = 40;

/**
 * Returns everything that speaks against a run. An exit code alone proves nothing: a process that
 * exits early with 0, or a file whose tests were never registered, looks the same as success.
 */
export function problemsOf(run: SuiteRun, files: readonly string[]): Problem[] {
  const { runtime, result, cases } = run;
  const details = result.output.trimEnd().split("\n").slice(-excerptLines).join("\n");
  if (result.timedOut) return [{ summary: `${runtime}: did not end in time`, details }];
  if (!cases || cases.length === 0) {
    return [{ summary: `${runtime}: wrote no report (exit code ${result.code})`, details }];
  }
  const failed = cases.filter((test) => test.outcome === "failed");
  const problems = failed.map((test) => failureOf(runtime, test));
  for (const file of files.filter((file) => !ranTestsOf(run, file))) {
    problems.push({ summary: `${runtime}: ${file} ran no test`, details: "" });
  }
  if (result.code !== 0 && failed.length === 0) {
    const summary = `${runtime}: ended with exit code ${result.code} though no test failed`;
    problems.push({ summary, details });
  }
  return problems;
}

function failureOf(runtime: string, { name, file, message, details }: TestCase): Problem {
  // Deno's report names the file that calls Deno.test, which is always the same one.
  const place = /(?<=\/)tests\/[\w/]+_test\.tsx?:\d+/.exec(details)?.[0] ?? stemOf(file);
  const summary = `${runtime}: ${name} failed (${place})`;
  return { summary, details: details === "" ? message : details };
}

/**
 * Deno names each file in its output, the others in their report. Node counts a file without
 * tests as a test with the name of the file.
 */
function ranTestsOf({ result, cases = [] }: SuiteRun, file: string): boolean {
  const heading = `running [1-9]\\d* tests? from \\./${file.replaceAll(".", "\\.")}`;
  if (new RegExp(heading).test(result.output)) return true;
  return cases.some((test) => stemOf(test.file) === stemOf(file) && !test.name.endsWith(".mjs"));
}

/** Compares the runtimes: the same suite must have the same number of tests everywhere. */
export function differences(runs: readonly SuiteRun[]): Problem[] {
  const sizes = runs.map(({ cases = [] }) => cases.length);
  if (new Set(sizes).size <= 1) return [];
  const counts = runs.map(({ runtime }, at) => `${runtime} ${sizes[at]}`).join(", ");
  const summary = `the runtimes ran different numbers of tests: ${counts}`;
  return [{ summary, details: "" }];
}

/** Returns a file's path without the folder and endings that differ between source and bundle. */
function stemOf(file: string): string {
  const path = file.replace(/^.*\/tests-\d+\/tests\//, "").replace(/^.*?tests\//, "");
  return path.replace(/\.[a-z.]+$/, "");
}

export function countOf(cases: readonly TestCase[], outcome: TestCase["outcome"]): number {
  return cases.filter((test) => test.outcome === outcome).length;
}
