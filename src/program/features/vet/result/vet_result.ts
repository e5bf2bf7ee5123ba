import { describeVariant } from "../../../../lab/features/drill/variants/attack_advice.ts";
import {
  type DrillVariant,
  isBinding,
} from "../../../../lab/features/drill/variants/drill_variant.ts";
import { type Finding, levelOf } from "../../../../lab/findings/finding.ts";

/** What became of a suite under one variant. */
export interface VetOutcome extends DrillVariant {
  /**
   * - `noticed`: a test failed.
   * - `accepted`: the client went on as always, and no test failed.
   * - `refused`: the client did not go on, and no test failed.
   * - `unmet`: nothing in the traffic of the suite was changed.
   * - `unstable`: the run failed, but not because of the variant.
   */
  outcome: "noticed" | "accepted" | "refused" | "unmet" | "unstable";
  /** Why, in one sentence. */
  reason?: string | undefined;
  /** How long the run took, in milliseconds. */
  milliseconds?: number | undefined;
}

/** What a suite sends to a lab that behaves. */
export interface PlainRun {
  /** How long it took, in milliseconds. */
  milliseconds: number;
  /** How often each step was taken: `{ "token authorization_code": 2 }`. */
  steps: Readonly<Record<string, number>>;
  /** The faults of the variants that can change a response of the run. */
  met: readonly string[];
  /** Why it cannot meet the others, by their faults. */
  reasons?: ReadonlyMap<string, string>;
}

/** How many attacks the tests of a suite would notice. */
export interface VetResult {
  /** The run without a fault. */
  plain: PlainRun;
  /** What became of the suite under each variant, in the order of the catalogue. */
  outcomes: readonly VetOutcome[];
  /** How many attacks made a test fail. */
  noticed: number;
  /** How many attacks the suite met: those that a test noticed, and those that none did. */
  total: number;
  /** What needs a test or a fix. */
  findings: readonly Finding[];
}

/** Outcomes that mean the same to a reader. */
export interface VetGroup {
  id: VetGroupId;
  title: string;
  outcomes: readonly VetOutcome[];
}

/** The kinds of outcomes, what needs work first. */
const titles = {
  accepted: "Accepted by the client, and noticed by no test",
  rejected: "Valid, but refused by the client",
  untested: "Refused by the client, but no test would notice if it were not",
  unstable: "Failed for another reason, so nothing is known",
  noticed: "Noticed by a test",
  fine: "Valid or harmless, and handled",
  unmet: "Not met by these tests",
};

export type VetGroupId = keyof typeof titles;

/** Whether an outcome is a weakness: an attack that was accepted, or a valid login that was not. */
export function isFinding(result: VetOutcome): boolean {
  const { expectation, outcome } = result;
  if (!isBinding(result)) return false;
  if (expectation === "accept") return outcome === "noticed" || outcome === "refused";
  return outcome === "accepted";
}

/** Sums up the outcomes of all variants. */
export function vetResultOf(plain: PlainRun, outcomes: readonly VetOutcome[]): VetResult {
  const attacks = outcomes.filter((each) => each.expectation === "refuse" && isBinding(each));
  const count = (...kinds: Array<VetOutcome["outcome"]>) =>
    attacks.filter(({ outcome }) => kinds.includes(outcome)).length;
  return {
    plain,
    outcomes,
    noticed: count("noticed"),
    total: count("noticed", "accepted", "refused"),
    findings: outcomes.filter(isFinding).map(findingOf),
  };
}

/** Returns the outcomes in the order in which they need attention; no group is empty. */
export function groupOutcomes({ outcomes }: VetResult): VetGroup[] {
  return (Object.keys(titles) as VetGroupId[])
    .map((id) => ({
      id,
      title: titles[id],
      outcomes: outcomes.filter((each) => groupOf(each) === id),
    }))
    .filter((group) => group.outcomes.length > 0);
}

export function groupOf(result: VetOutcome): VetGroupId {
  const { expectation, outcome } = result;
  if (outcome === "unmet" || outcome === "unstable") return outcome;
  if (!isBinding(result)) return "fine";
  if (expectation === "accept") return outcome === "accepted" ? "fine" : "rejected";
  return outcome === "refused" ? "untested" : outcome;
}

export function summarizeVet({ noticed, total }: VetResult): string {
  if (total === 0) return "Your tests met no attack.";
  return `Your tests would notice ${noticed} of ${total} ${total === 1 ? "attack" : "attacks"}.`;
}

/** Returns how many attacks in a hundred were noticed, rounded down: 100 means all. */
export function scoreOf({ noticed, total }: VetResult): number {
  return total === 0 ? 0 : Math.floor(100 * noticed / total);
}

function findingOf(outcome: VetOutcome): Finding {
  const [received, expected] = outcome.expectation === "accept"
    ? ["the client refused it", "the client accepts it"]
    : ["the client accepted it, and no test noticed", "the client refuses it, or a test fails"];
  const { class: kind } = outcome;
  return {
    ...describeVariant(outcome),
    ...levelOf(kind === "attack" ? "attack" : "rule"),
    received,
    expected,
    where: {},
  };
}
