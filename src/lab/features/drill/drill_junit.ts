import { type Check, type Finding, isFailure } from "../../findings/finding.ts";
import { type CheckGroup, checksToJunit, untestedChecks } from "../../findings/junit.ts";
import { catalogue } from "../faults/catalogue.ts";
import { unfoldFindings } from "../verdicts/fold.ts";
import { missingChecks } from "../verdicts/required.ts";
import type { DrillProgress } from "./drill_result.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";

const notes: Readonly<Partial<Record<DrillOutcome["outcome"], string>>> = {
  refused: "Refused.",
  tolerated: "Accepted.",
};

/**
 * Formats a drill as JUnit XML: a test case for the login, one for each variant, and one that fails
 * for each part that is missing.
 */
export function drillToJunit(
  progress: DrillProgress,
  missing: readonly string[] = [],
  fails = (finding: Finding) => isFailure(finding, { failOn: "D" }),
): string {
  const { name, checks } = checksOf(progress);
  return checksToJunit([{ name, checks: [...checks, ...missingChecks(missing)] }], fails);
}

/** Returns the checks of a drill: of the login itself, of its session, and of each variant. */
function checksOf(
  { state, findings, outcomes, checks, problem, verdict }: DrillProgress,
): CheckGroup {
  const login: Check = {
    id: "login",
    title: "The login works without a fault",
    skipped: state === "none" ? "No drill has run yet." : undefined,
    problem,
  };
  return {
    name: "hallpass drill",
    checks: [
      login,
      ...checks,
      ...outcomes.map((outcome) => variantCheck(outcome, unfoldFindings(findings))),
      ...untestedChecks(verdict),
    ],
  };
}

function variantCheck(
  { fault: id, outcome, expectation, reason = "" }: DrillOutcome,
  findings: readonly Finding[],
): Check {
  const check = { id, title: catalogue.get(id)?.summary ?? "" };
  if (outcome === "unmet") return { ...check, skipped: reason };
  const note = notes[outcome];
  const found = findings.filter((each) => each.id === id);
  if (note === undefined || found.length > 0) return { ...check, findings: found };
  const optional = expectation === "either" && "Optional check:";
  return { ...check, note: [optional, note, reason].filter(Boolean).join(" ") };
}
