import type { Finding } from "../../findings/finding.ts";
import type { DrillResult } from "./drill_result.ts";
import { describeVariant } from "./variants/attack_advice.ts";
import type { DrillOutcome } from "./variants/drill_outcome.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";

/** Sums up the outcomes of a drill. */
export function resultOf(outcomes: readonly DrillOutcome[]): DrillResult {
  const withOutcome = (name: DrillOutcome["outcome"]) =>
    outcomes.filter(({ outcome }) => outcome === name);
  const faultsOf = (name: DrillOutcome["outcome"]) => withOutcome(name).map(({ fault }) => fault);
  return {
    findings: outcomes.flatMap(findingsIn),
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

function findingsIn(result: DrillOutcome): Finding[] {
  const { outcome, reason, flow } = result;
  if (outcome !== "accepted" && outcome !== "wrongly_refused") return [];
  const [done, due] = outcome === "accepted" ? ["accepted", "refuses"] : ["refused", "accepts"];
  return [{
    ...describeVariant(result),
    level: "violation",
    received: [`the application ${done} it`, reason?.replace(/\.$/, "")].filter(Boolean).join(": "),
    expected: `the application ${due} it`,
    where: { flow },
  }];
}
