import { countFindings, type GradedApplication } from "../../core/remarks.ts";
import { type Finding, gradeOf } from "../../findings/finding.ts";
import { withoutQuery } from "./drill_access.ts";
import type { DrillResult } from "./drill_result.ts";

/** How an application did in one drill, with the ids of the variants and checks it was put to. */
interface DrilledApplication extends GradedApplication {
  tested: readonly string[];
}

/** Returns how an application did in a drill. A part of a drill gives no grade. */
export function gradeApplication(
  { start, client }: Pick<GradedApplication, "start" | "client">,
  { findings, outcomes, checks }: Pick<DrillResult, "findings" | "outcomes" | "checks">,
  isWhole: boolean,
): DrilledApplication {
  const about = { start: withoutQuery(start), client };
  const tested = [
    ...outcomes.filter(({ outcome }) => outcome !== "unmet").map(({ fault }) => fault),
    ...checks.filter(({ skipped }) => skipped === undefined).map(({ id }) => id),
  ];
  return { ...gradeFindings(about, findings, isWhole), tested };
}

/**
 * Adds a drill to the earlier ones. It replaces what it tested again of the same application, and
 * takes nothing else away.
 */
export function addApplication(
  earlier: readonly GradedApplication[],
  { tested, ...later }: DrilledApplication,
): GradedApplication[] {
  const same = earlier.filter((each) => isSameApplication(each, later));
  const others = earlier.filter((each) => !same.includes(each));
  const partly = later.grade === undefined
    ? same
    : same.filter(({ start }) => start !== later.start);
  if (partly.length === 0) return [...others, later];
  const kept = partly.flatMap(({ findings }) => findings)
    .filter(({ id }) => !tested.includes(id))
    .map((finding) => movedTo(later.start, finding));
  const isGraded = [later, ...partly].some(({ grade }) => grade !== undefined);
  return [...others, gradeFindings(later, [...kept, ...later.findings], isGraded)];
}

function gradeFindings(
  { start, client }: Pick<GradedApplication, "start" | "client">,
  findings: readonly Finding[],
  isWhole: boolean,
): GradedApplication {
  const { violations, advice } = countFindings(findings);
  const grade = isWhole && { grade: gradeOf(violations, advice) };
  return { start, client, ...grade, violations, advice, findings };
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
