import { describeVariant } from "../../../../lab/features/drill/variants/attack_advice.ts";
import type { BaselineChange } from "../result/vet_baseline.ts";
import { groupOf, type VetGroupId } from "../result/vet_groups.ts";
import { isFinding, type VetOutcome, type VetResult } from "../result/vet_result.ts";
import type { VetVerdict } from "../result/vet_verdict.ts";

/** A result of `vet` as JSON. */
export interface VetReport {
  /** The version of Hallpass. */
  hallpass: string;
  /** How many attacks a test noticed. */
  noticed: number;
  /** How many attacks the suite met. */
  total: number;
  /** How many attacks in a hundred a test noticed, rounded down. */
  score: number;
  /** Whether the suite reaches what it has to. */
  passed: boolean;
  /** Why it does not. */
  problems: readonly string[];
  /** How the findings differ from those of a baseline. */
  change?: BaselineChange | undefined;
  /** Every variant, with what became of the suite. */
  variants: readonly ReportedVariant[];
}

/** A variant with what became of the suite under it. */
export interface ReportedVariant extends VetOutcome {
  /** What is wrong with the response. */
  title: string;
  /** What the outcome means. */
  group: VetGroupId;
  /** Whether it needs a test or a fix. */
  finding: boolean;
  /** What an attacker gains if the client accepts it. */
  gain: string;
  /** What the client has to do. */
  fix: string;
}

/** Formats a result as data. */
export function vetToJson(result: VetResult, verdict: VetVerdict, hallpass: string): VetReport {
  const { noticed, total, outcomes } = result;
  return { hallpass, noticed, total, ...verdict, variants: outcomes.map(reportVariant) };
}

function reportVariant(outcome: VetOutcome): ReportedVariant {
  const { id: _, ...description } = describeVariant(outcome);
  return { ...outcome, ...description, group: groupOf(outcome), finding: isFinding(outcome) };
}
