import { counted } from "../../server/util/time/duration.ts";
import { type Finding, isViolation } from "./finding.ts";

/** What a drill or a report says as a whole: a grade, and what it is for. */
export interface Verdict {
  /**
   * A, B with advice or with something in use that was not tested, D with broken rules, F with an
   * attack. A part of a drill gives none.
   */
  grade?: DrillGradeName | undefined;
  /** How many checks showed something. */
  tested: number;
  /** How many checks there are. */
  total: number;
  /** What was not tested. */
  untested: readonly Untested[];
  /** What was not judged, a line each. It leaves the grade alone. */
  notes: readonly VerdictNote[];
}

/** The grade of what was drilled. */
export type DrillGradeName = "A" | "B" | "D" | "F";

/** Something that was not tested. */
export interface Untested {
  /** What it is: `"refresh"`, `"sign-out"`, `"signatures"`. */
  what: string;
  /** Why, and what would test it, in one sentence. */
  why: string;
  /** Whether the application was seen to use it: without a test of it, there is no A. */
  used: boolean;
}

/** Something that was not judged, because it matters only in a situation that was not seen. */
export interface VerdictNote {
  /** The id of the variant or check. */
  id: string;
  /** The condition, and what the application does. */
  text: string;
}

/** Returns the grade for what was found, and for what was not tested. */
export function gradeOf(
  findings: readonly Finding[],
  untested: readonly Untested[] = [],
): DrillGradeName {
  const violations = findings.filter(isViolation);
  if (violations.some(({ kind }) => kind !== "rule")) return "F";
  if (violations.length > 0) return "D";
  return findings.length > 0 || untested.some(({ used }) => used) ? "B" : "A";
}

/** Returns how a verdict looks: good only if everything was tested. */
export function toneOf(
  findings: readonly Finding[],
  { untested }: Pick<Verdict, "untested">,
): "good" | "warn" | "bad" {
  if (findings.some(isViolation)) return "bad";
  return untested.length === 0 ? "good" : "warn";
}

/** Describes what was found in a sentence: "1 attack works, and 2 rules are broken". */
export function summarizeFindings(findings: readonly Finding[]): string {
  const violations = findings.filter(isViolation);
  const rules = violations.filter(({ kind }) => kind === "rule").length;
  const attacks = violations.length - rules;
  const worked = attacks === 0
    ? "No attack works"
    : `${counted(attacks, "attack")} ${attacks === 1 ? "works" : "work"}`;
  const broken = rules === 0
    ? "no rule is broken"
    : `${counted(rules, "rule")} ${rules === 1 ? "is" : "are"} broken`;
  return attacks > 0 && rules === 0 ? worked : `${worked}, and ${broken}`;
}

/** Describes a verdict: "A, 61 of 88 checks. Not tested: refresh, sign-out." */
export function describeVerdict(verdict: Verdict): string {
  const { grade } = verdict;
  return grade === undefined ? describeScope(verdict) : `${grade}, ${describeScope(verdict)}`;
}

/** Describes what a verdict is for: the same, without the grade. */
export function describeScope({ tested, total, untested }: Verdict): string {
  const missing = untested.map(({ what }) => what).join(", ");
  const scope = `${tested} of ${total} checks.`;
  return missing ? `${scope} Not tested: ${missing}.` : scope;
}
