import { counted } from "../../../../server/util/time/duration.ts";
import { type BaselineChange, compareWithBaseline, type VetBaseline } from "./vet_baseline.ts";
import { scoreOf } from "./vet_groups.ts";
import type { VetResult } from "./vet_result.ts";

/** What a suite has to reach. */
export interface VetCriteria {
  /**
   * How many attacks in a hundred the tests must notice, besides that there is no new finding.
   *
   * @default 0
   */
  failUnder?: number | undefined;
  /** What is known already. Without it, every finding is new. */
  baseline?: VetBaseline | undefined;
}

/** Whether a suite reaches what it has to. */
export interface VetVerdict {
  /** Whether there is no problem. */
  passed: boolean;
  /** How many attacks in a hundred the tests notice, rounded down. */
  score: number;
  /** Why it did not pass, a sentence each. */
  problems: readonly string[];
  /** How the findings differ from a baseline; undefined without one. */
  change?: BaselineChange | undefined;
}

/** Decides whether a suite reaches what it has to. */
export function decideVet(
  result: VetResult,
  { failUnder = 0, baseline }: VetCriteria = {},
): VetVerdict {
  const change = baseline && compareWithBaseline(result, baseline);
  const problems = [
    ...findingProblems(result, change),
    ...scoreProblems(result, failUnder),
    ...metProblems(result),
  ];
  return { passed: problems.length === 0, score: scoreOf(result), problems, change };
}

function findingProblems({ findings }: VetResult, change: BaselineChange | undefined): string[] {
  const faults = change?.appeared ?? findings.map(({ id }) => id);
  if (faults.length === 0) return [];
  return [`${counted(faults.length, change ? "new finding" : "finding")}: ${faults.join(", ")}.`];
}

/** A result about nothing must not pass. */
function metProblems({ outcomes }: VetResult): string[] {
  if (outcomes.some(({ outcome }) => outcome !== "unmet")) return [];
  return ["Your tests met none of the variants, so nothing is known about them."];
}

/** Compares without rounding: 2 of 3 are less than 67 %. */
function scoreProblems(result: VetResult, failUnder: number): string[] {
  const { noticed, total } = result;
  if (100 * noticed >= failUnder * total && (total > 0 || failUnder === 0)) return [];
  return [`The tests notice ${scoreOf(result)} % of the attacks; they must notice ${failUnder} %.`];
}
