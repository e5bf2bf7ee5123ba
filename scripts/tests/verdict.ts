import type { CommandResult } from "../child.ts";
import type { TestCase } from "../junit.ts";

/** How a suite went. */
export interface SuiteRun {
  suite: string;
  files: readonly string[];
  result: CommandResult;
  /** None if the runner wrote no report. */
  cases: readonly TestCase[];
}

/** How many lines of a runner's output explain a problem that no test explains. */
const excerptLines = 40;

/**
 * Returns everything that speaks against a run, with a summary in the first line. An exit code
 * alone proves nothing: a process that exits early with 0, or a file whose tests were never
 * registered, looks the same as success.
 */
export function problemsOf(run: SuiteRun): string[] {
  const { suite, files, result: { code, output, timedOut }, cases } = run;
  const excerpt = output.trimEnd().split("\n").slice(-excerptLines).join("\n");
  if (timedOut) return [`${suite}: did not end in time\n${excerpt}`];
  if (cases.length === 0) return [`${suite}: wrote no report (exit code ${code})\n${excerpt}`];
  const failed = cases.filter(({ outcome }) => outcome === "failed");
  const isExplained = code === 0 || failed.length > 0;
  return [
    ...failed.map((test) => `${suite}: ${failureOf(test)}`),
    ...files.filter((file) => countIn(run, file) === 0).map((file) =>
      `${suite}: ${file} ran no test`
    ),
    ...isExplained
      ? []
      : [`${suite}: ended with exit code ${code} though no test failed\n${excerpt}`],
  ];
}

function failureOf({ name, file, message, details }: TestCase): string {
  // Reports name the file that calls Deno.test or `it`, which is always the same one.
  const places = details.match(/(?<=\/)tests\/[\w/]+(?:\.tsx?:\d+|_test(?=\.test\.mjs))/g) ?? [];
  const place = places.find((each) => /_test\b/.test(each)) ?? places[0] ?? stemOf(file);
  return `${name} failed (${place})\n${details === "" ? message : details}`;
}

/** Returns how many tests of a file ran, which is printed, or reported by Bun. */
function countIn({ result, cases }: SuiteRun, file: string): number {
  const headings = result.output.matchAll(/^running (\d+) tests? from \.\/(.+)$/gm);
  const heading = headings.find(([, , path = ""]) => stemOf(path) === stemOf(file));
  if (heading) return Number(heading[1]);
  return cases.filter((test) => stemOf(test.file) === stemOf(file)).length;
}

/** Returns a file's path without the folder and endings that differ between source and bundle. */
function stemOf(file: string): string {
  const path = file.replace(/^.*\/tests-\d+\/(?:\w+\/)?tests\//, "").replace(/^.*?tests\//, "");
  return path.replace(/\.[a-z.]+$/, "");
}

/** Compares the suites: a file has the same number of tests wherever it runs. */
export function differences(runs: readonly SuiteRun[]): string[] {
  const files = [...new Set(runs.flatMap(({ files }) => files))];
  return files.flatMap((file) => {
    const running = runs.filter(({ files }) => files.includes(file));
    const counts = running.map((run) => countIn(run, file));
    const list = running.map(({ suite }, at) => `${suite} ${counts[at]}`).join(", ");
    const isSame = new Set(counts).size === 1;
    return isSame ? [] : [`${file} has different numbers of tests: ${list}`];
  });
}

/** Returns the line that sums tests up. A problem without a failed test counts as a failure. */
export function summaryOf(cases: readonly TestCase[], problems = 0): string {
  const count = (wanted: TestCase["outcome"]) =>
    cases.filter(({ outcome }) => outcome === wanted).length;
  const failed = Math.max(count("failed"), problems);
  return `${count("passed")} passed, ${failed} failed, ${count("skipped")} skipped`;
}

/** Prints what was skipped and what went wrong, and returns the exit code. */
export function printVerdict(runs: readonly SuiteRun[]): number {
  const problems = [...runs.flatMap(problemsOf), ...differences(runs)];
  const cases = runs.flatMap((run) => run.cases);
  const skipped = cases.filter(({ outcome }) => outcome === "skipped");
  const reasons = new Set(skipped.map(({ name, message }) => `${name} ${message}`.trim()));
  if (reasons.size > 0) console.log(`Skipped:\n${bulletsOf([...reasons])}\n`);
  for (const problem of problems) console.log(`${problem.trimEnd().replaceAll("\n", "\n    ")}\n`);
  const summaries = problems.map((problem) => problem.split("\n", 1)[0] ?? "");
  if (problems.length > 0) console.log(`Problems:\n${bulletsOf(summaries)}\n`);
  console.log(summaryOf(cases, problems.length));
  return problems.length > 0 ? 1 : 0;
}

function bulletsOf(items: readonly string[]): string {
  return items.map((item) => `  - ${item}`).join("\n");
}
