import { LabError } from "../../../../lab/util/lab_error.ts";
import { isObject } from "../../../../server/util/text/json.ts";
import { counted } from "../../../../server/util/time/duration.ts";
import { isFinding, scoreOf, type VetOutcome, type VetResult } from "./vet_result.ts";

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

/** What was known of a suite at some time: only what is new since then makes `vet` fail. */
export interface VetBaseline {
  /** The version of Hallpass that wrote it. */
  hallpass: string;
  /** The outcome of each variant of that version, by its fault. */
  outcomes: Readonly<Record<string, BaselineOutcome>>;
}

/** An outcome, or `finding` for one that needs a test or a fix. */
export type BaselineOutcome = VetOutcome["outcome"] | "finding";

/** How a result differs from a baseline. */
export interface BaselineChange {
  /** The faults of findings that the baseline has, too. */
  known: readonly string[];
  /**
   * The faults of findings whose variants the version of Hallpass that wrote the baseline did not
   * have. They don't make `vet` fail, so that an update of Hallpass does not break a build.
   */
  added: readonly string[];
  /** The faults of all other findings: they are new. */
  appeared: readonly string[];
  /** The faults of findings in the baseline that are no longer findings. */
  mended: readonly string[];
}

/** Decides whether a suite reaches what it has to. */
export function decideVet(
  result: VetResult,
  { failUnder = 0, baseline }: {
    /**
     * How many attacks in a hundred the tests must notice, besides that there is no new finding.
     *
     * @default 0
     */
    failUnder?: number | undefined;
    /** What is known already. Without it, every finding is new. */
    baseline?: VetBaseline | undefined;
  } = {},
): VetVerdict {
  const change = baseline && compareWithBaseline(result, baseline);
  const problems = [
    ...findingProblems(result, change),
    ...scoreProblems(result, failUnder),
    ...metProblems(result),
  ];
  return { passed: problems.length === 0, score: scoreOf(result), problems, change };
}

export function createBaseline({ outcomes }: VetResult, hallpass: string): VetBaseline {
  const pairs = outcomes.map((each) => [each.fault, baselineOutcomeOf(each)] as const);
  return { hallpass, outcomes: Object.fromEntries(pairs.toSorted(byName)) };
}

/** Compares a result with a baseline. Variants that were not tried this time count as unchanged. */
export function compareWithBaseline(
  { outcomes, findings }: VetResult,
  baseline: VetBaseline,
): BaselineChange {
  const before = new Map(Object.entries(baseline.outcomes));
  const faults = findings.map(({ id }) => id);
  const wasFinding = (fault: string) => before.get(fault) === "finding";
  // A run that shows nothing fixes nothing.
  const isSettled = ({ outcome }: VetOutcome) => outcome !== "unmet" && outcome !== "unstable";
  return {
    known: faults.filter(wasFinding),
    added: faults.filter((fault) => !before.has(fault)),
    appeared: faults.filter((fault) => before.has(fault) && !wasFinding(fault)),
    mended: outcomes.filter((each) => isSettled(each) && !isFinding(each))
      .map(({ fault }) => fault as string).filter(wasFinding),
  };
}

/** Returns the faults of findings that don't make `vet` fail, because of the baseline. */
export function knownFaults(change: BaselineChange | undefined): readonly string[] {
  return change ? [...change.known, ...change.added] : [];
}

export function readBaseline(value: unknown): VetBaseline {
  const { hallpass, outcomes } = isObject(value) ? value : {};
  if (typeof hallpass === "string" && isObject(outcomes)) {
    const pairs = Object.entries(outcomes);
    if (pairs.every((pair): pair is [string, BaselineOutcome] => typeof pair[1] === "string")) {
      return { hallpass, outcomes: Object.fromEntries(pairs) };
    }
  }
  throw new LabError(
    'A baseline has the members "hallpass", a version, and "outcomes", an object with the ' +
      "outcome of each fault. Let vet write it.",
  );
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

function baselineOutcomeOf(each: VetOutcome): BaselineOutcome {
  return isFinding(each) ? "finding" : each.outcome;
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
