import { UsageError } from "../terminal/usage_error.ts";
import { fillIn, type SuiteTarget } from "./suite_target.ts";
import {
  readPrintedReport,
  readTestReports,
  type TestReportFormat,
  type TestReportPlace,
} from "./test_reports/read_test_reports.ts";

const formats: readonly TestReportFormat[] = ["junit", "tap", "go-json"];

/** The path that means what the suite prints. */
const printed = "-";

/** Returns why a text is not `FORMAT:PATH`, or undefined. */
export function reportPlaceProblem(text: string): string | undefined {
  const isPlace = formats.some((format) => text.startsWith(`${format}:`) && !text.endsWith(":"));
  return isPlace
    ? undefined
    : "must be FORMAT:PATH, such as junit:report.xml, tap:- or go-json:-; - is what it prints";
}

/** Returns the names of the tests that failed in a run, as the suite reported them. */
export async function readFailedTests(
  places: readonly string[],
  standardOutput: string,
  since: number,
  target: SuiteTarget,
): Promise<readonly string[] | undefined> {
  const names: string[] = [];
  for (const text of places) {
    const { format, path } = toPlace(fillIn(text, target));
    const report = path === printed
      ? readPrintedReport(format, standardOutput)
      : await readTestReports({ format, path }, since);
    if (!report) {
      throw new UsageError(`The tests wrote no report: there is no new file at ${path}.`);
    }
    names.push(...report.failed);
  }
  return places.length === 0 ? undefined : names;
}

function toPlace(text: string): TestReportPlace {
  const colon = text.indexOf(":");
  const format = formats.find((each) => each === text.slice(0, colon));
  if (format === undefined) throw new UsageError(`--test-report ${reportPlaceProblem(text)}`);
  return { format, path: text.slice(colon + 1) };
}
