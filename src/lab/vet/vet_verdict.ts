import { counted } from "../../server/util/time/describe_span.ts";
import { type BaselineChange, compareWithBaseline, type VetBaseline } from "./vet_baseline.ts";
import { scoreOf } from "./vet_groups.ts";
import type { VetResult } from "./vet_result.ts";

/** What a suite has to reach. */
export interface VetCriteria {
  /**
   * How many attacks in a hundred the tests must notice.
   *
   * @default 0
   */
  failUnder?: number | undefined;
  /** What is known already; without it, every finding is new. */
  baseline?: VetBaseline | undefined;
}

/** Whether a suite reaches what it has to. */
export interface VetVerdict {
  passed: boolean;
  /** How many attacks in a hundred the tests notice, rounded down. */
  score: number;
  /** Why it did not pass, a sentence each. */
  problems: readonly string[];
  /** How the findings differ from a baseline; undefined without one. */
  change?: BaselineChange | undefined;
}

/** Decides whether a suite reaches what it has to. */
export function decideVet(result: VetResult, criteria: VetCriteria = {}): VetVerdict {
  const { failUnder = 0, baseline } = criteria;
  const score = scoreOf(result);
  const change = baseline && compareWithBaseline(result, baseline);
  const newFindings = change?.appeared ?? result.findings.map(({ fault }) => fault);
  const problems: string[] = [];
  if (newFindings.length > 0) {
    const count = counted(newFindings.length, change ? "new finding" : "finding");
    problems.push(`${count}: ${newFindings.join(", ")}.`);
  }
  if (score < failUnder) {
    problems.push(`The tests notice ${score} % of the attacks; they must notice ${failUnder} %.`);
  }
  return { passed: problems.length === 0, score, problems, change };
}
