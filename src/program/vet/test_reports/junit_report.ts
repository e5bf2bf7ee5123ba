import { UsageError } from "../../terminal/usage_error.ts";
import {
  createTestCollector,
  nameSeparator,
  type TestCollector,
  type TestOutcome,
  type TestReport,
} from "./test_report.ts";
import { readXmlTags, type XmlTag } from "./xml_tags.ts";

/** Deeper than any runner nests its groups. */
const maxDepth = 200;

/** What the elements within a test case mean. */
const outcomes: Readonly<Record<string, TestOutcome>> = {
  failure: "failed",
  error: "failed",
  skipped: "skipped",
};

interface OpenTest {
  name: string;
  outcome: TestOutcome;
}

/** Reads JUnit XML, as Vitest, Jest, Node, Deno, Bun, pytest, Maven and Gradle write it. */
export function readJunitReport(text: string): TestReport {
  const tests = createTestCollector();
  const suites: string[] = [];
  let test: OpenTest | undefined;
  let isJunit = false;
  for (const tag of readXmlTags(text)) {
    isJunit ||= tag.name === "testsuites" || tag.name === "testsuite";
    if (!isJunit) break;
    if (tag.name === "testsuite") followSuite(suites, tag);
    else if (tag.name === "testcase") test = followTest(tests, test, tag, suites);
    else if (test && tag.kind !== "end") test.outcome = outcomeOf(test.outcome, tag.name);
  }
  if (!isJunit) throw new UsageError("The report is no JUnit XML: it has no test suite.");
  return tests.report();
}

function followSuite(suites: string[], { kind, attributes }: XmlTag): void {
  if (kind === "end") suites.pop();
  if (kind === "start") suites.push(attributes.get("name") ?? "");
  if (suites.length > maxDepth) throw new UsageError("The report nests too many test suites.");
}

/** Notes a test at its end. Returns the test that is open now. */
function followTest(
  tests: TestCollector,
  open: OpenTest | undefined,
  { kind, attributes }: XmlTag,
  suites: readonly string[],
): OpenTest | undefined {
  if (kind === "end") {
    if (open) tests.add(open.name, open.outcome);
    return undefined;
  }
  const test: OpenTest = { name: nameOf(attributes, suites), outcome: "passed" };
  if (kind === "start") return test;
  tests.add(test.name, test.outcome);
  return undefined;
}

/** A test that is skipped or still to do does not count, even if it failed. */
function outcomeOf(before: TestOutcome, element: string): TestOutcome {
  if (before === "skipped") return before;
  return Object.hasOwn(outcomes, element) ? outcomes[element] ?? before : before;
}

/** Node gives each test the class "test", and names its groups as suites. */
function nameOf(attributes: XmlTag["attributes"], suites: readonly string[]): string {
  const name = attributes.get("name") ?? "";
  const className = attributes.get("classname") ?? "test";
  const group = className === "test" ? suites.join(nameSeparator) : className;
  return group === "" || name.startsWith(group) ? name : `${group}${nameSeparator}${name}`;
}
