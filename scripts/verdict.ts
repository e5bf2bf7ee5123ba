import type { Ended } from "./child.ts";
import type { TestCase } from "./junit.ts";

/** How the suite went on one runtime. */
export interface SuiteRun {
  runtime: string;
  ended: Ended;
  /** Missing where the runner wrote no report. */
  cases?: TestCase[];
}

/**
 * Everything that speaks against a run. An exit code alone proves nothing: a process that ends early with 0,
 * or a file whose tests were never registered, looks the same as success.
 */
export function problemsOf(run: SuiteRun, files: readonly string[]): string[] {
  const { runtime, ended, cases } = run;
  if (ended.timedOut) return [`${runtime}: did not end in time`];
  if (!cases || cases.length === 0) {
    return [`${runtime}: wrote no report (exit code ${ended.code})`];
  }
  const failed = cases.filter((test) => test.outcome === "failed");
  const silent = files.filter((file) => !ranAnything(run, file));
  return [
    ...failed.map((test) => `${runtime}: ${test.name} failed (${stem(test.file)})`),
    ...silent.map((file) => `${runtime}: ${file} ran no test`),
    ...ended.code !== 0 && failed.length === 0
      ? [`${runtime}: ended with exit code ${ended.code} though no test failed`]
      : [],
  ];
}

/** Deno tells of each file in its output, the others in their report; Node counts a file without tests as a test of that name. */
function ranAnything({ ended, cases = [] }: SuiteRun, file: string): boolean {
  if (
    new RegExp(`running [1-9]\\d* tests? from \\./${file.replaceAll(".", "\\.")}`).test(
      ended.output,
    )
  ) return true;
  return cases.some((test) => stem(test.file) === stem(file) && !test.name.endsWith(".mjs"));
}

/** The same suite must be the same size everywhere. */
export function differences(runs: readonly SuiteRun[]): string[] {
  const sizes = runs.map(({ runtime, cases }) => `${runtime} ${cases?.length ?? 0}`);
  const same = new Set(runs.map(({ cases }) => cases?.length ?? 0)).size <= 1;
  return same ? [] : [`the runtimes ran different numbers of tests: ${sizes.join(", ")}`];
}

/** The name of a file without its folder and endings, which differ between source and bundle. */
function stem(file: string): string {
  return file.replace(/^.*\/tests-\d+\/tests\//, "").replace(/^.*?tests\//, "").replace(
    /\.[a-z.]+$/,
    "",
  );
}

export function count(runs: readonly SuiteRun[], outcome: TestCase["outcome"]): number {
  return runs.flatMap(({ cases }) => cases ?? []).filter((test) => test.outcome === outcome).length;
}
