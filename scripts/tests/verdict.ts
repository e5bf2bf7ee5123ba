import type { CommandResult } from "../child.ts";
import type { TestCase } from "../junit.ts";

/** How a suite went on one runtime. */
export interface SuiteRun {
  /** The name of the suite: a runtime, a way to load the package, or "once". */
  runtime: string;
  files: readonly string[];
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
export function problemsOf(run: SuiteRun): Problem[] {
  const { runtime, files, result, cases } = run;
  const details = result.output.trimEnd().split("\n").slice(-excerptLines).join("\n");
  if (result.timedOut) return [{ summary: `${runtime}: did not end in time`, details }];
  if (!cases || cases.length === 0) {
    return [{ summary: `${runtime}: wrote no report (exit code ${result.code})`, details }];
  }
  const failed = cases.filter((test) => test.outcome === "failed");
  const problems = failed.map((test) => failureOf(runtime, test));
  for (const file of files.filter((file) => countIn(run, file) === 0)) {
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

/** Returns how many tests of a file ran, which Deno prints and the others report. */
function countIn({ result, cases = [] }: SuiteRun, file: string): number {
  const path = `\\./${file.replaceAll(".", "\\.")}`;
  const heading = new RegExp(`^running (\\d+) tests? from ${path}$`, "m").exec(result.output);
  if (heading) return Number(heading[1]);
  return cases.filter((test) => stemOf(test.file) === stemOf(file)).length;
}

/** Compares the suites: a file has the same number of tests wherever it runs. */
export function differences(runs: readonly SuiteRun[]): Problem[] {
  const files = [...new Set(runs.flatMap(({ files }) => files))];
  return files.flatMap((file) => {
    const counts = runs.filter(({ files }) => files.includes(file)).map((run) => ({
      name: run.runtime,
      count: countIn(run, file),
    }));
    if (new Set(counts.map(({ count }) => count)).size <= 1) return [];
    const list = counts.map(({ name, count }) => `${name} ${count}`).join(", ");
    return [{ summary: `${file} has different numbers of tests: ${list}`, details: "" }];
  });
}

/** Returns a file's path without the folder and endings that differ between source and bundle. */
function stemOf(file: string): string {
  const path = file.replace(/^.*\/tests-\d+\/(?:\w+\/)?tests\//, "").replace(/^.*?tests\//, "");
  return path.replace(/\.[a-z.]+$/, "");
}

export function countOf(cases: readonly TestCase[], outcome: TestCase["outcome"]): number {
  return cases.filter((test) => test.outcome === outcome).length;
}
