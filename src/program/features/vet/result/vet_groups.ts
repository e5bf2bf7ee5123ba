import type { VetOutcome, VetResult } from "./vet_result.ts";

/** Outcomes that mean the same to a reader. */
export interface VetGroup {
  id: VetGroupId;
  title: string;
  outcomes: readonly VetOutcome[];
}

/** The kinds of outcomes, what needs work first. */
export type VetGroupId =
  | "accepted"
  | "rejected"
  | "untested"
  | "unstable"
  | "noticed"
  | "fine"
  | "unmet";

const titles: Readonly<Record<VetGroupId, string>> = {
  accepted: "Accepted by the client, and noticed by no test",
  rejected: "Valid, but refused by the client",
  untested: "Refused by the client, but no test would notice if it were not",
  unstable: "Failed for another reason, so nothing is known",
  noticed: "Noticed by a test",
  fine: "Valid or harmless, and handled",
  unmet: "Not met by these tests",
};

/** Returns the outcomes in the order in which they need attention; no group is empty. */
export function groupOutcomes({ outcomes }: Pick<VetResult, "outcomes">): VetGroup[] {
  return (Object.keys(titles) as VetGroupId[])
    .map((id) => ({
      id,
      title: titles[id],
      outcomes: outcomes.filter((each) => groupOf(each) === id),
    }))
    .filter((group) => group.outcomes.length > 0);
}

/** Returns the group that an outcome belongs to. */
export function groupOf({ expectation, outcome }: VetOutcome): VetGroupId {
  if (outcome === "unmet" || outcome === "unstable") return outcome;
  if (expectation === "either") return "fine";
  if (expectation === "accept") return outcome === "accepted" ? "fine" : "rejected";
  return outcome === "refused" ? "untested" : outcome;
}

/** Returns the result in one sentence. */
export function summarizeVet({ noticed, total }: Pick<VetResult, "noticed" | "total">): string {
  if (total === 0) return "Your tests met no attack.";
  return `Your tests would notice ${noticed} of ${total} ${total === 1 ? "attack" : "attacks"}.`;
}

/** Returns how many attacks in a hundred were noticed, rounded down: 100 means all. */
export function scoreOf({ noticed, total }: Pick<VetResult, "noticed" | "total">): number {
  return total === 0 ? 0 : Math.floor(100 * noticed / total);
}
