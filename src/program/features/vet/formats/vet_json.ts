import { describeVariant } from "../../../../lab/features/drill/variants/attack_advice.ts";
import { groupOf } from "../result/vet_groups.ts";
import { isFinding, type VetOutcome, type VetResult } from "../result/vet_result.ts";
import type { VetVerdict } from "../result/vet_verdict.ts";

/** Formats a result as data, which `static/vet.schema.json` describes. */
export function vetToJson(result: VetResult, verdict: VetVerdict, hallpass: string): object {
  const { noticed, total, outcomes } = result;
  return { hallpass, noticed, total, ...verdict, variants: outcomes.map(reportVariant) };
}

function reportVariant(outcome: VetOutcome): object {
  const { id: _, ...description } = describeVariant(outcome);
  return { ...outcome, ...description, group: groupOf(outcome), finding: isFinding(outcome) };
}
