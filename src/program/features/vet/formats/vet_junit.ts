import { describeVariant } from "../../../../lab/features/drill/variants/attack_advice.ts";
import type { Check, Finding } from "../../../../lab/findings/finding.ts";
import { checksToJunit } from "../../../../lab/findings/junit.ts";
import { knownFaults } from "../result/vet_baseline.ts";
import { groupOf, type VetGroupId } from "../result/vet_groups.ts";
import type { VetOutcome, VetResult } from "../result/vet_result.ts";
import type { VetVerdict } from "../result/vet_verdict.ts";

const notes: Readonly<Partial<Record<VetGroupId, string>>> = {
  noticed: "Noticed.",
  untested: "Refused, but no test shows it.",
};

/** Formats a result as JUnit XML: a test case for the criteria, and one for each variant. */
export function vetToJunit({ outcomes, findings }: VetResult, verdict: VetVerdict): string {
  const known = knownFaults(verdict.change);
  const checks = outcomes.map((outcome): Check => {
    const { id, title } = describeVariant(outcome);
    const found = findings.filter((each) => each.id === id);
    const note = found.length > 0 && known.includes(id) ? "Known." : noteOf(outcome);
    return { id, title, findings: found, note, skipped: skippedReason(outcome) };
  });
  const group = { name: "hallpass vet", checks: [criteriaCheck(verdict), ...checks] };
  return checksToJunit([group], ({ id }) => !known.includes(id));
}

function criteriaCheck({ problems }: VetVerdict): Check {
  const id = "criteria";
  const findings = problems.map((title): Finding => ({ id, title, level: "violation", where: {} }));
  return { id, title: "The suite reaches what it has to", findings };
}

function noteOf(outcome: VetOutcome): string | undefined {
  const note = notes[groupOf(outcome)];
  return note && [note, outcome.reason].filter(Boolean).join(" ");
}

function skippedReason({ outcome, reason = "" }: VetOutcome): string | undefined {
  return outcome === "unmet" || outcome === "unstable" ? reason : undefined;
}
