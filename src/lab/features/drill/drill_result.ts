import type { DrillOutcome } from "./variants/drill_outcome.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";

/** How an application handled the variants of a login. */
export interface DrillResult {
  /** The variants that the application accepted as a login, against the rule. */
  accepted: DrillVariant[];
  /** The faults of the variants that it rejected, as it should, or may. */
  refused: string[];
  /** The faults of the variants that it accepted, as it should, or may. */
  tolerated: string[];
  /** The variants that it rejected, although it must accept them. */
  wronglyRefused: DrillVariant[];
  /**
   * The faults that never fired, or that the application cannot notice, because it does not use
   * what they change.
   */
  unmet: string[];
  /** What happened under each variant, in order. */
  outcomes: DrillOutcome[];
}

/** Sums up the outcomes of a drill. */
export function resultOf(outcomes: readonly DrillOutcome[]): DrillResult {
  const withOutcome = (name: DrillOutcome["outcome"]) =>
    outcomes.filter(({ outcome }) => outcome === name);
  const faultsOf = (name: DrillOutcome["outcome"]) => withOutcome(name).map(({ fault }) => fault);
  return {
    accepted: withOutcome("accepted").map(variantOf),
    refused: faultsOf("refused"),
    tolerated: faultsOf("tolerated"),
    wronglyRefused: withOutcome("wrongly_refused").map(variantOf),
    unmet: faultsOf("unmet"),
    outcomes: [...outcomes],
  };
}

function variantOf(
  { outcome: _, reason: _reason, flow: _flow, ...variant }: DrillOutcome,
): DrillVariant {
  return variant;
}

/** Returns the message of an error without the diagram of the flow, which has its own page. */
export function firstParagraph(message: string | undefined): string | undefined {
  return message?.split("\n\n", 1)[0];
}
