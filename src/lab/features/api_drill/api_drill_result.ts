import type { GradedApi } from "../../core/remarks.ts";
import { type Check, type Finding, isViolation } from "../../findings/finding.ts";
import { gradeOf } from "../../findings/grade.ts";

/** How an API handled the tokens of a drill. */
export interface ApiDrillResult extends Pick<GradedApi, "url" | "grade"> {
  /** What is wrong, or could be better. */
  findings: Finding[];
  /** Every check, with what it found, what is worth knowing, or why it was left out. */
  checks: Check[];
}

/** Sums up the checks of a drill. */
export function apiResultOf(url: string, checks: Check[]): ApiDrillResult {
  const findings = checks.flatMap((check) => check.findings ?? []);
  const { violations, advice } = countFindings(checks);
  return { url, grade: gradeOf(violations, advice), findings, checks };
}

/** Returns the grade of an API, for a report. */
export function gradedApi({ url, grade, checks }: ApiDrillResult): GradedApi {
  return { url, grade, ...countFindings(checks) };
}

function countFindings(checks: readonly Check[]): Pick<GradedApi, "violations" | "advice"> {
  const found = checks.flatMap(({ findings = [] }) => findings.length > 0 ? [findings] : []);
  const violated = found.filter((each) => each.some(isViolation));
  return { violations: violated.length, advice: found.length - violated.length };
}
