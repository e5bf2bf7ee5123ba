import type { Check, Finding } from "../../findings/finding.ts";
import type { CheckGroup } from "../../findings/junit.ts";
import { catalogue } from "../faults/catalogue.ts";
import type { DrillProgress } from "./drill_progress.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";

/** Returns the checks of a drill: one of the login itself, and one for each variant. */
export function checksOf({ state, findings, outcomes, problem }: DrillProgress): CheckGroup {
  const login: Check = {
    id: "login",
    title: "The login works without a fault",
    skipped: state === "none" ? "No drill has run yet." : undefined,
    findings: problem === undefined ? [] : [stopped(problem)],
  };
  return {
    name: "hallpass drill",
    checks: [login, ...outcomes.map((outcome) => variantCheck(outcome, findings))],
  };
}

function stopped(problem: string): Finding {
  return { id: "drill-stopped", title: problem, level: "violation", where: {} };
}

const notes: Readonly<Partial<Record<DrillOutcome["outcome"], string>>> = {
  refused: "Refused.",
  tolerated: "Accepted, as it may be.",
};

function variantCheck(
  { fault: id, outcome, reason = "" }: DrillOutcome,
  findings: readonly Finding[],
): Check {
  const check = { id, title: catalogue.get(id)?.summary ?? "" };
  if (outcome === "unmet") return { ...check, skipped: reason };
  const note = notes[outcome];
  if (note === undefined) return { ...check, findings: findings.filter((each) => each.id === id) };
  return { ...check, note: `${note} ${reason}`.trim() };
}
