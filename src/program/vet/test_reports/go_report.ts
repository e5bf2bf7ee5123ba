import { isObject, parseJson } from "../../../server/util/text/json.ts";
import { UsageError } from "../../terminal/usage_error.ts";
import {
  createTestCollector,
  nameSeparator,
  type TestOutcome,
  type TestReport,
} from "./test_report.ts";

/** How Go names the tests within a test: `TestLogin/checks_the_state`. */
const withinTest = "/";

const outcomes: Readonly<Record<string, TestOutcome>> = {
  pass: "passed",
  fail: "failed",
  skip: "skipped",
};

interface GoEvent {
  action: string;
  package: string;
  /** Missing in what is about the whole package. */
  test: string | undefined;
}

/** Reads what `go test -json` prints. */
export function readGoReport(text: string): TestReport {
  const tests = createTestCollector(withinTest);
  const withFailures = new Set<string>();
  let isGo = false;
  for (const line of text.split("\n")) {
    const event = readEvent(line);
    if (!event) continue;
    isGo = true;
    const outcome = Object.hasOwn(outcomes, event.action) ? outcomes[event.action] : undefined;
    if (outcome === undefined) continue;
    if (event.test !== undefined) {
      if (outcome === "failed") withFailures.add(event.package);
      tests.add(`${event.package}${nameSeparator}${event.test}`, outcome);
      continue;
    }
    // A package that does not compile, or ends outside of a test, fails without a test.
    const isUnexplained = outcome === "failed" && !withFailures.has(event.package);
    if (isUnexplained) tests.add(event.package, "failed");
  }
  if (!isGo) throw new UsageError("The report is not what 'go test -json' prints.");
  return tests.report();
}

/** What the compiler and the vet tool print in between is no event. */
function readEvent(line: string): GoEvent | undefined {
  if (!line.startsWith("{")) return undefined;
  const value = parseJson(line);
  const { Action: action, Package: name, Test: test } = isObject(value) ? value : {};
  if (typeof action !== "string" || typeof name !== "string") return undefined;
  return { action, package: name, test: typeof test === "string" ? test : undefined };
}
