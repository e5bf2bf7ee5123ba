import { isViolation } from "../../findings/finding.ts";
import type { DrillResult } from "./drill_result.ts";
import { unfoldFindings } from "./fold.ts";
import type { WatchedLab } from "./watch_lab.ts";

/** Marks the flows that show what was found, the worst in each, for who looks at them. */
export function markFindings(lab: WatchedLab, { accepted, findings }: DrillResult): void {
  const exchanges = new Map(lab.exchanges().map((exchange) => [exchange.id, exchange]));
  for (const finding of unfoldFindings(findings)) {
    const { id, where } = finding;
    const isAccepted = accepted.some(({ fault }) => fault === id);
    if (!isAccepted && !isViolation(finding)) continue;
    const steps = lab.flows().find((flow) => flow.id === where.flow)?.steps
      .flatMap(({ exchange }) => exchanges.get(exchange) ?? []) ?? [];
    if (steps.some((each) => each.finding)) continue;
    // A logout token follows the last step.
    const shown = steps.find(({ faults }) => faults.some((fault) => fault === id)) ?? steps.at(-1);
    if (shown) shown.finding = { id, isAccepted };
  }
}
