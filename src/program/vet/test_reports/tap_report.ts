import { UsageError } from "../../terminal/usage_error.ts";
import {
  createTestCollector,
  nameSeparator,
  type TestCollector,
  type TestOutcome,
  type TestReport,
} from "./test_report.ts";

/** By how much TAP indents the tests within a test. */
const indentation = 4;
/** Deeper than any runner nests its tests. */
const maxDepth = 200;

/** The name may have any character, so that no line is tried twice. */
const testPoint = /^( *)(not ok|ok)\b *\d* *(?:- )?(.*)$/s;
const directive = /^((?:[^\\#]|\\.|#(?! *(?:skip|todo)\b))*)# *(skip|todo)\b.*$/is;
const duration = / # time=[\d.]+m?s$/;

interface TapTest {
  name: string;
  outcome: TestOutcome;
}

/** Reads the Test Anything Protocol, as `node --test` and tap write it. */
export function readTapReport(text: string): TestReport {
  const tests = createTestCollector();
  // Tests at each depth that have not been followed by the test that contains them.
  const waiting: TapTest[][] = [];
  let isTap = false;
  for (const line of withoutDiagnostics(text)) {
    const bail = /^ *Bail out!(.*)$/.exec(line);
    if (bail) tests.add(`Bail out!${bail[1]}`, "failed");
    isTap ||= bail !== null || /^ *(?:TAP version \d+|\d+\.\.\d+)/.test(line);
    const [point, indent = "", result, rest = ""] = testPoint.exec(line) ?? [];
    if (point === undefined) continue;
    isTap = true;
    addTest(waiting, Math.floor(indent.length / indentation), readTest(result, rest));
  }
  if (!isTap) throw new UsageError("The report is no TAP: it has neither a plan nor a test.");
  addAll(tests, waiting.flat());
  return tests.report();
}

/** Leaves out the YAML below a test, in which the output of a test may look like another test. */
function* withoutDiagnostics(text: string): Generator<string> {
  let end: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (end !== undefined) {
      if (line === end) end = undefined;
      continue;
    }
    const [, indent] = /^( +)---$/.exec(line) ?? [];
    if (indent === undefined) yield line;
    else end = `${indent}...`;
  }
}

/** A test that is still to do may fail. */
function readTest(result: string | undefined, rest: string): TapTest {
  const [, before = rest, mark] = directive.exec(rest) ?? [];
  const name = before.replace(duration, "").trim().replace(/\\([\\#])/g, "$1");
  if (mark !== undefined) return { name, outcome: "skipped" };
  return { name, outcome: result === "ok" ? "passed" : "failed" };
}

/** Adds a test to those of its depth. The tests within it came before, and take its place. */
function addTest(waiting: TapTest[][], depth: number, test: TapTest): void {
  if (depth > maxDepth) throw new UsageError("The report nests too many tests.");
  while (waiting.length <= depth) waiting.push([]);
  const within = waiting.splice(depth + 1).flat();
  const isSkipped = test.outcome === "skipped";
  const isOwnFailure = test.outcome === "failed" &&
    within.every((each) => each.outcome !== "failed");
  const tests = within.length === 0 || isSkipped || isOwnFailure ? [test] : within.map((each) => ({
    name: `${test.name}${nameSeparator}${each.name}`,
    outcome: each.outcome,
  }));
  waiting[depth]?.push(...tests);
}

function addAll(tests: TestCollector, all: readonly TapTest[]): void {
  for (const { name, outcome } of all) tests.add(name, outcome);
}
