import { type Finding, isViolation } from "../../../src/lab/findings/finding.ts";
import { type Bug, isNamedBy } from "../broken/bug.ts";
import { neverViolations } from "../known.ts";
import type { Measured } from "./measure_site.ts";
import type { Drilled } from "./measured_lab.ts";

/** What a lab said of something correct, by what is known of it. */
export interface Judged {
  /** Violations of rules that it is known to keep. */
  wrong: Finding[];
  /** Violations that nobody has judged, or that are true. */
  unjudged: Finding[];
}

/** Divides the violations of something correct, one for each rule. */
export function judge(findings: readonly Finding[], keeps: readonly string[]): Judged {
  const violations = new Map(findings.filter(isViolation).map((each) => [each.id, each]));
  const isWrong = ({ id }: Finding) => isNamedBy(id, [...neverViolations, ...keeps]);
  const all = [...violations.values()];
  return { wrong: all.filter(isWrong), unjudged: all.filter((each) => !isWrong(each)) };
}

/** Whether a grade says that something correct is correct. */
export function isGood({ grade, problem }: Drilled): boolean {
  return problem === undefined && (grade === "A" || grade === "B");
}

/** How a bug was named. */
export interface NamedBug {
  bug: Bug;
  byReport: boolean;
  byDrill: boolean;
  byPrefilled: boolean;
  /** How many findings stand where it is named first; 0 if it is not named. */
  findings: number;
  /** Whether it is the first of them. */
  isFirst: boolean;
}

/** Finds a bug in what a lab said of an application with it. */
export function findBug(bug: Bug, { report = [], full, prefilled }: Measured): NamedBug {
  const isNaming = ({ id, folded = [] }: Finding) =>
    [id, ...folded.map((each) => each.id)].some((each) => isNamedBy(each, bug.named));
  const names = (findings: readonly Finding[]) => findings.some(isNaming);
  // What matters only in a situation that was not seen is named as a note, and precedes nothing.
  const notes = ({ notes = [] }: Drilled) => notes.some((each) => isNamedBy(each, bug.named));
  const isNoted = !names(full.findings) && notes(full);
  const [byReport, byDrill] = [names(report), names(full.findings) || isNoted];
  const shown = byDrill ? full.findings : byReport ? report : [];
  const [first] = shown;
  const ids = new Set(shown.map(({ id }) => id));
  return {
    bug,
    byReport,
    byDrill,
    byPrefilled: prefilled !== undefined && (names(prefilled.findings) || notes(prefilled)),
    findings: ids.size,
    isFirst: first === undefined ? isNoted : isNaming(first),
  };
}

export function isNamed({ byReport, byDrill }: NamedBug): boolean {
  return byReport || byDrill;
}
