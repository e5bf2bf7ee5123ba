/** What a test runner reports about one run of a suite. */
export interface TestReport {
  /** How many tests ran; skipped ones do not count. */
  ran: number;
  /** How many tests failed. */
  failedCount: number;
  /** The names of failed tests, each once, in the order of the report; long lists are cut. */
  failed: readonly string[];
}

/** Collects the tests of a report, one at a time. */
export interface TestCollector {
  add(name: string, outcome: TestOutcome): void;
  report(): TestReport;
}

/** How a test ended. */
export type TestOutcome = "passed" | "failed" | "skipped";

/** More names than a reader of a result looks at. */
const maxNames = 200;
const maxNameLength = 300;

/** A token, or another long value that looks random: titles of parameterized tests contain them. */
const credential = /\beyJ[\w-]+(?:\.[\w-]*)*|(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}/g;

/** What reports put between the names of a group and a test. */
export const nameSeparator = " > ";

/**
 * Collects tests. A test that failed only because a test within it failed is not counted:
 * `separator` is what the names of such tests have between them.
 */
export function createTestCollector(separator: string = nameSeparator): TestCollector {
  const failed = new Set<string>();
  let ran = 0;
  return {
    add(name, outcome) {
      if (outcome !== "skipped") ran++;
      if (outcome === "failed") failed.add(name);
    },
    report() {
      const groups = groupsOf(failed, separator);
      const names = [...failed].filter((name) => !groups.has(name));
      const shown = names.slice(0, maxNames).map(toShownName);
      return { ran, failedCount: names.length, failed: [...new Set(shown)] };
    },
  };
}

/** Adds up the reports of a suite that wrote several files. */
export function addReports(reports: readonly TestReport[]): TestReport {
  const sum = (count: (report: TestReport) => number) =>
    reports.reduce((total, report) => total + count(report), 0);
  const failed = new Set(reports.flatMap((report) => report.failed));
  return {
    ran: sum(({ ran }) => ran),
    failedCount: sum(({ failedCount }) => failedCount),
    failed: [...failed].slice(0, maxNames),
  };
}

/** Returns everything before a separator of a name. */
function groupsOf(names: Iterable<string>, separator: string): Set<string> {
  const groups = new Set<string>();
  for (const name of names) {
    const end = name.lastIndexOf(separator);
    if (end > 0) groups.add(name.slice(0, end));
  }
  return groups;
}

function toShownName(name: string): string {
  const text = name.slice(0, 4 * maxNameLength).replace(/\s+/g, " ").trim()
    .replace(credential, "[redacted]");
  return text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text;
}
