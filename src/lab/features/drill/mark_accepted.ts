import type { DrillResult } from "./drill_result.ts";
import type { WatchedLab } from "./watch_lab.ts";

/** Marks what an application accepted, against a rule, for who looks at the flow. */
export function markAccepted(lab: WatchedLab, { accepted, outcomes }: DrillResult): void {
  const exchanges = new Map(lab.exchanges().map((exchange) => [exchange.id, exchange]));
  for (const { fault } of accepted) {
    const { flow } = outcomes.find((each) => each.fault === fault) ?? {};
    const changed = lab.flows().find(({ id }) => id === flow)?.steps
      .map(({ exchange }) => exchanges.get(exchange))
      .find((exchange) => exchange?.faults.includes(fault));
    if (changed) changed.accepted = fault;
  }
}
