import type { Finding } from "../../findings/finding.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";

/** How an application handled the variants of a login. */
export interface DrillResult {
  /** What is wrong with the application: what `accepted` and `wronglyRefused` name. */
  findings: Finding[];
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

/** The result of a drill that has tried nothing. */
export const noResult: DrillResult = {
  findings: [],
  accepted: [],
  refused: [],
  tolerated: [],
  wronglyRefused: [],
  unmet: [],
  outcomes: [],
};

/** Returns the message of an error without the diagram of the flow, which has its own page. */
export function firstParagraph(message: string | undefined): string | undefined {
  return message?.split("\n\n", 1)[0];
}
