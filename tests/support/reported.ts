import { assert, assertEquals } from "@std/assert";
import { isViolation } from "../../src/lab/findings/finding.ts";
import type { CleanOptions, Report, TestLab } from "../../src/lab/testing/mod.ts";
import { hasFeature } from "./where_feature.ts";

type ReportingLab = Pick<TestLab, "report" | "assertClean">;

/** Fails if a client broke a rule, as far as the project has a report. */
export function assertClean(lab: ReportingLab, options?: CleanOptions): void {
  if (hasFeature("report")) lab.assertClean(options);
}

/** Fails unless the report has these members, as far as the project has one. */
export function assertReport(lab: ReportingLab, expected: Partial<Report>): void {
  if (!hasFeature("report")) return;
  const names = Object.keys(expected) as Array<keyof Report>;
  const found = lab.report();
  assertEquals(Object.fromEntries(names.map((name) => [name, found[name]])), expected);
}

/** Fails unless the report has findings of these ids, as far as the project has one. */
export function assertFindings(lab: ReportingLab, ids: readonly string[]): void {
  if (hasFeature("report")) assertEquals(lab.report().findings.map(({ id }) => id), ids);
}

/** Fails unless the report names a leniency, as far as the project has one. */
export function assertLeniency(lab: ReportingLab, name: string): void {
  if (hasFeature("report")) assert(lab.report().leniencies.includes(name), name);
}

/** Returns the ids of what `assertClean({ refused: true })` refuses. */
export function brokenRules(lab: ReportingLab): string[] {
  const { findings, refused } = lab.report();
  const violations = findings.filter(isViolation);
  return [...violations, ...refused].map(({ id }) => id);
}
