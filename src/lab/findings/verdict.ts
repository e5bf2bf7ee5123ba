import type { Finding } from "./finding.ts";
import { findingGrades, type Grade, isAtLeast } from "./grade.ts";

/** What a drill or a report says as a whole: a grade, and what it is for. */
export interface Verdict {
  /**
   * That of the worst finding, or A. A part of a drill gives none, nor does one without an F or a D
   * that could not test something which is in use.
   */
  grade?: Grade | undefined;
  /** How many checks showed something. */
  tested: number;
  /** How many checks there are. */
  total: number;
  /** What was not tested. */
  untested: readonly Untested[];
  /** What was not judged, a line each. It leaves the grade alone. */
  notes: readonly VerdictNote[];
}

/** Something that was not tested. */
export interface Untested {
  /** What it is: `"refresh"`, `"sign-out"`, `"signatures"`. */
  what: string;
  /** Why, and what would test it, in one sentence. */
  why: string;
  /** Whether the application was seen to use it: without a test of it, there is no good grade. */
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
export function gradeResult(
  findings: readonly Finding[],
  untested: readonly Untested[] = [],
): Grade | undefined {
  const worst = findingGrades.find((each) => findings.some(({ grade }) => grade === each));
  const isKnown = isAtLeast({ grade: worst }, "D") || !untested.some(({ used }) => used);
  return isKnown ? worst ?? "A" : undefined;
}

/** Returns how a verdict looks: good only if everything was tested. */
export function toneOf(
  findings: readonly Finding[],
  { untested }: Pick<Verdict, "untested">,
): "good" | "warn" | "bad" {
  if (findings.some((each) => isAtLeast(each, "D"))) return "bad";
  const isGood = untested.length === 0 && !findings.some((each) => isAtLeast(each, "C"));
  return isGood ? "good" : "warn";
}

/** Counts what was found, by its grade: "Findings: 1 F, 2 C". */
export function summarizeFindings(findings: readonly Finding[]): string {
  const counts = findingGrades.flatMap((grade) => {
    const { length } = findings.filter((each) => each.grade === grade);
    return length > 0 ? [`${length} ${grade}`] : [];
  });
  return counts.length > 0 ? `Findings: ${counts.join(", ")}` : "No findings";
}

/** Describes a verdict: "A, 61 of 88 checks. Not tested: a new key." */
export function describeVerdict(verdict: Verdict): string {
  const grade = verdict.grade ?? (whyNoGrade(verdict) && "No grade");
  return [grade, describeScope(verdict)].filter(Boolean).join(", ");
}

/** Returns why a drill has no grade, and what would give it one. */
export function whyNoGrade({ grade, untested }: Verdict): string | undefined {
  if (grade !== undefined) return undefined;
  return untested.filter(({ used }) => used).map(({ why }) => why).join(" ") || undefined;
}

/** Describes what a verdict is for: the same, without the grade. */
export function describeScope({ tested, total, untested }: Verdict): string {
  const missing = untested.map(({ what }) => what).join(", ");
  const scope = `${tested} of ${total} checks.`;
  return missing ? `${scope} Not tested: ${missing}.` : scope;
}
