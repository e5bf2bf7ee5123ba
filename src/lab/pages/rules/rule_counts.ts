import type { Exchange } from "../../recording/exchange.ts";

/** How many of the recorded requests passed and broke a rule. */
export interface RuleCount {
  passed: number;
  failed: number;
}

/** Counts what the recorded requests passed and broke, by the id of the rule. */
export function countRules(
  exchanges: ReadonlyArray<Pick<Exchange, "rules">>,
): Map<string, RuleCount> {
  const counts = new Map<string, RuleCount>();
  for (const { rule, passed } of exchanges.flatMap(({ rules }) => rules)) {
    const count = counts.get(rule.id) ?? { passed: 0, failed: 0 };
    count[passed ? "passed" : "failed"]++;
    counts.set(rule.id, count);
  }
  return counts;
}
