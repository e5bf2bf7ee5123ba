import { type Check, isViolation } from "../../findings/finding.ts";
import { gradeOf, type Untested, type Verdict } from "../../findings/verdict.ts";
import { foldFindings } from "../drill/fold.ts";
import { untestedReasons } from "./api_check.ts";
import type { ApiDrillResult } from "./api_drill_result.ts";
import { apiFoldRules } from "./fold_rules.ts";

/** What was not tested, for each reason. */
const untestedNames: Readonly<Record<keyof typeof untestedReasons, string>> = {
  scope: "scope",
  otherUser: "access of another user",
  newKey: "a new key",
};

/** Sums up the checks of a drill. Some of them alone give no grade. */
export function apiResultOf(
  { url, client }: { url: string; client?: string | undefined },
  checks: Check[],
  isWhole: boolean,
): ApiDrillResult {
  const findings = foldFindings(checks.flatMap((check) => check.findings ?? []), apiFoldRules);
  const untested = untestedIn(checks);
  const verdict: Verdict = {
    ...isWhole && { grade: gradeOf(findings, untested) },
    tested: checks.filter(({ skipped }) => skipped === undefined).length,
    total: checks.length,
    untested,
    notes: checks.flatMap(({ id, unjudged }) => unjudged ? [{ id, text: unjudged }] : []),
  };
  return { url, ...client !== undefined && { client }, ...verdict, findings, checks };
}

/** What the drill was not told, or had no time for. An API without it may be as good. */
function untestedIn(checks: readonly Check[]): Untested[] {
  return Object.entries(untestedNames).flatMap(([name, what]) => {
    const why = untestedReasons[name as keyof typeof untestedReasons];
    return checks.some(({ skipped }) => skipped === why) ? [{ what, why, used: false }] : [];
  });
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
