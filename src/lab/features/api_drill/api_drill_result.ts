import { counted } from "../../../server/util/time/duration.ts";
import { countFindings, type GradedApi } from "../../core/remarks.ts";
import { type Check, type Finding, gradeByCount, isViolation } from "../../findings/finding.ts";
import type { Verdict } from "../../findings/verdict.ts";

/** How an API handled the tokens of a drill. */
export interface ApiDrillResult extends Pick<GradedApi, "url" | "client">, Verdict {
  /** What is wrong, or could be better: one finding for each check that found something. */
  findings: Finding[];
  /** Every check, with what it found, what is worth knowing, or why it was left out. */
  checks: Check[];
}

/** Sums up the checks of a drill. Some of them alone give no grade. */
export function apiResultOf(
  { url, client }: { url: string; client?: string | undefined },
  checks: Check[],
  isWhole: boolean,
): ApiDrillResult {
  const findings = checks.flatMap((check) => check.findings ?? []);
  const { violations, advice } = countFindings(findings);
  const verdict: Verdict = {
    ...isWhole && { grade: gradeByCount(violations, advice) },
    tested: checks.filter(({ skipped }) => skipped === undefined).length,
    total: checks.length,
    untested: [],
    notes: [],
  };
  return { url, ...client !== undefined && { client }, ...verdict, findings, checks };
}

/** Adds a drill to an earlier one. A drill of some checks adds violations, and takes none away. */
export function addResult(
  earlier: ApiDrillResult | undefined,
  later: ApiDrillResult,
): ApiDrillResult {
  if (earlier === undefined || later.grade !== undefined) return later;
  const known = new Map(earlier.checks.map((check) => [check.id, check]));
  for (const check of later.checks) {
    const isWorse = check.findings?.some(isViolation);
    if (isWorse || !known.has(check.id)) known.set(check.id, check);
  }
  return apiResultOf(later, [...known.values()], earlier.grade !== undefined);
}

/** Returns the grade of an API, for a report. */
export function gradedApi({ checks: _, ...result }: ApiDrillResult): GradedApi {
  return { ...result, ...countFindings(result.findings) };
}

/** Describes how much a drill found: "7 violations, 1 piece of advice". */
export function describeCounts(findings: readonly Finding[]): string {
  const { violations, advice } = countFindings(findings);
  return `${counted(violations, "violation")}, ${counted(advice, "piece")} of advice`;
}
