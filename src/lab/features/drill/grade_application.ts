import type { GradedApplication } from "../../core/remarks.ts";
import type { Finding } from "../../findings/finding.ts";
import { gradeResult, type Verdict } from "../../findings/verdict.ts";
import { withoutQuery } from "../verdicts/drill_access.ts";
import { foldFindings, unfoldFindings } from "../verdicts/fold.ts";
import { triedIn } from "../verdicts/required.ts";
import type { DrillResult } from "./drill_result.ts";
import { applicationFoldRules } from "./fold_rules.ts";

/** How an application did in one drill, with the ids of the variants and checks it was put to. */
interface DrilledApplication extends GradedApplication {
  tried: readonly string[];
}

/** Returns how an application did in a drill. A part of a drill gives no grade. */
export function gradeApplication(
  { start, client }: Pick<GradedApplication, "start" | "client">,
  result: DrillResult,
): DrilledApplication {
  const graded = gradedWith(result.verdict, result.findings);
  return { ...graded, start: withoutQuery(start), client, tried: triedIn(result) };
}

/**
 * Adds a drill to the earlier ones. It replaces what it tested again of the same application, and
 * takes nothing else away.
 */
export function addApplication(
  earlier: readonly GradedApplication[],
  { tried, ...later }: DrilledApplication,
): GradedApplication[] {
  const same = earlier.filter((each) => isSameApplication(each, later));
  const others = earlier.filter((each) => !same.includes(each));
  const partly = later.grade === undefined
    ? same
    : same.filter(({ start }) => start !== later.start);
  if (partly.length === 0) return [...others, later];
  const kept = partly.flatMap(({ findings }) => unfoldFindings(findings, applicationFoldRules))
    .filter(({ id }) => !tried.includes(id))
    .map((finding) => movedTo(later.start, finding));
  const all = [...kept, ...unfoldFindings(later.findings, applicationFoldRules)];
  const findings = foldFindings(all, applicationFoldRules);
  // What a grade is for is what the whole drill tested.
  const whole = [later, ...partly].find(({ grade }) => grade !== undefined);
  const verdict = whole ? { ...whole, grade: gradeResult(findings, whole.untested) } : later;
  const { start, client } = later;
  return [...others, { ...gradedWith(verdict, findings), start, client }];
}

function gradedWith(
  { grade, tested, total, untested, notes }: Verdict,
  findings: readonly Finding[],
): Omit<GradedApplication, "start"> {
  const verdict = { ...grade && { grade }, tested, total, untested, notes };
  return { ...verdict, findings };
}

/** Pages of one origin that sign in as one client are the same application. */
function isSameApplication(one: GradedApplication, other: GradedApplication): boolean {
  if (one.start === other.start) return true;
  const isSameClient = one.client !== undefined && one.client === other.client;
  return isSameClient && new URL(one.start).origin === new URL(other.start).origin;
}

function movedTo(application: string, finding: Finding): Finding {
  if (finding.where.application === application) return finding;
  return { ...finding, where: { ...finding.where, application } };
}
