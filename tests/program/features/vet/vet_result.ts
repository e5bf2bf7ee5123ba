import {
  type DrillVariant,
  drillVariants,
} from "../../../../src/lab/features/drill/variants/variants.ts";
import {
  type VetOutcome,
  type VetResult,
  vetResultOf,
} from "../../../../src/program/features/vet/result/vet_result.ts";

/** Returns a result with the outcome that `choose` gives each variant of the catalogue. */
export function vetResult(choose: (variant: DrillVariant) => Partial<VetOutcome>): VetResult {
  const outcomes = drillVariants.map((variant): VetOutcome => ({
    ...variant,
    outcome: "noticed",
    ...choose(variant),
  }));
  return vetResultOf({ milliseconds: 2000, steps: {}, met: [] }, outcomes);
}

/** Returns a result in which the variants with these faults were accepted, others noticed. */
export function acceptedIn(...faults: string[]): VetResult {
  return vetResult(({ fault, expectation }) => ({
    outcome: faults.includes(fault) || expectation === "accept" ? "accepted" : "noticed",
  }));
}
