import { countFindings, type GradedApplication } from "../../core/remarks.ts";
import { type Finding, gradeOf } from "../../findings/finding.ts";

/** Returns how an application did in a drill. A part of a drill gives no grade. */
export function gradeApplication(
  about: Pick<GradedApplication, "start" | "client">,
  findings: readonly Finding[],
  isWhole: boolean,
): GradedApplication {
  const { violations, advice } = countFindings(findings);
  const grade = isWhole && { grade: gradeOf(violations, advice) };
  return { ...about, ...grade, violations, advice, findings };
}

/** Adds a drill to an earlier one. A part of a drill adds findings, and takes none away. */
export function addApplication(
  earlier: GradedApplication | undefined,
  later: GradedApplication,
): GradedApplication {
  if (earlier === undefined || later.grade !== undefined) return later;
  const ids = later.findings.map(({ id }) => id);
  const kept: Finding[] = earlier.findings.filter(({ id }) => !ids.includes(id));
  const findings = [...kept, ...later.findings];
  const { start, client } = later;
  return gradeApplication({ start, client }, findings, earlier.grade !== undefined);
}
