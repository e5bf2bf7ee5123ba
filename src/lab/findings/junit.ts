import { xmlElement } from "../util/xml.ts";
import { type Check, type Finding, findingToText, isFailure, summarizeFinding } from "./finding.ts";
import type { Verdict } from "./verdict.ts";

type Fails = (finding: Finding) => boolean;

/** Checks that a CI system shows together. */
export interface CheckGroup {
  name: string;
  checks: readonly Check[];
}

/**
 * Formats checks as JUnit XML, which most CI systems read. A check fails because of its findings
 * for which `fails` returns true; the others are in its output.
 */
export function checksToJunit(
  groups: readonly CheckGroup[],
  fails: Fails = (finding) => isFailure(finding),
): string {
  const counts = countChecks(groups.flatMap(({ checks }) => checks), fails);
  const suites = groups.map(({ name, checks }) =>
    xmlElement(
      "testsuite",
      { name, ...countChecks(checks, fails), time: 0 },
      checks.map((check) => testCase(name, check, fails)),
    )
  );
  const root = xmlElement("testsuites", { name: "hallpass", ...counts }, suites);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

/** Returns what was not tested as checks that were skipped. */
export function untestedChecks({ untested }: Verdict): Check[] {
  return untested.map(({ what, why }) => ({
    id: "not-tested",
    title: what,
    skipped: why,
  }));
}

function testCase(classname: string, check: Check, fails: Fails): string {
  const { id, title, findings = [], skipped, note, problem } = check;
  const found = findings.find(fails);
  const failure = problem ?? (found && summarizeFinding(found));
  // Findings of one rule have lines in common.
  const lines = findings.flatMap((each) => findingToText(each, fails).split("\n"));
  const text = [...new Set(lines)].join("\n");
  const output = [note, failure === undefined && text].filter(Boolean).join("\n");
  const type = found?.id ?? id;
  return xmlElement("testcase", { classname, name: `${id}: ${title}`, time: 0 }, [
    ...failure === undefined ? [] : [xmlElement("failure", { message: failure, type }, text)],
    ...skipped === undefined ? [] : [xmlElement("skipped", { message: skipped })],
    ...output ? [xmlElement("system-out", {}, output)] : [],
  ]);
}

function countChecks(
  checks: readonly Check[],
  fails: Fails,
): Record<string, number> {
  return {
    tests: checks.length,
    failures: checks.filter(({ findings = [], problem }) => problem || findings.some(fails)).length,
    errors: 0,
    skipped: checks.filter(({ skipped }) => skipped !== undefined).length,
  };
}
