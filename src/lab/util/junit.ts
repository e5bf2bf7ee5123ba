import { xmlElement } from "./xml.ts";

/** A group of test cases, which a CI system shows together. */
export interface TestSuite {
  name: string;
  cases: readonly TestCase[];
}

/** A test case. Without a failure, and not skipped, it passed. */
export interface TestCase {
  name: string;
  failure?: TestFailure | undefined;
  /** Why the case was not tested. */
  skipped?: string | undefined;
  /** What else is worth reading. */
  output?: string | undefined;
}

/** Why a test case failed. */
export interface TestFailure {
  /** The failure in one sentence. */
  message: string;
  /** The kind of the failure, such as the id of a rule. */
  type: string;
  /** The whole story. */
  text: string;
}

/** Formats test suites as JUnit XML, which most CI systems read. */
export function formatJunit(name: string, suites: readonly TestSuite[]): string {
  const counts = countCases(suites.flatMap(({ cases }) => cases));
  const root = xmlElement("testsuites", { name, ...counts }, suites.map(formatSuite));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

function formatSuite({ name, cases }: TestSuite): string {
  const attributes = { name, ...countCases(cases), time: 0 };
  return xmlElement("testsuite", attributes, cases.map((each) => formatCase(name, each)));
}

function formatCase(classname: string, { name, failure, skipped, output }: TestCase): string {
  return xmlElement("testcase", { classname, name, time: 0 }, [
    ...failure ? [formatFailure(failure)] : [],
    ...skipped === undefined ? [] : [xmlElement("skipped", { message: skipped })],
    ...output === undefined ? [] : [xmlElement("system-out", {}, output)],
  ]);
}

function formatFailure({ message, type, text }: TestFailure): string {
  return xmlElement("failure", { message, type }, text);
}

function countCases(cases: readonly TestCase[]): Record<string, number> {
  return {
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure).length,
    errors: 0,
    skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
  };
}
