import { isDependent } from "./choices.ts";
import type { Branch } from "./explore.ts";
import { orderOf } from "./races.ts";

/**
 * Returns how many schedules differ from one in nothing but the order of steps that commute, itself
 * included: the linear extensions of its partial order.
 */
export function countEquivalent(
  branches: readonly Branch[],
  depends: typeof isDependent = isDependent,
): number {
  const steps = orderOf(branches, depends).map((before, at) => ({ before, bit: 1n << BigInt(at) }));
  // The number of ways in which a set of steps can be taken first.
  let ways = new Map<bigint, number>([[0n, 1]]);
  for (let length = 0; length < steps.length; length++) {
    const longer = new Map<bigint, number>();
    for (const [taken, count] of ways) {
      for (const { before, bit } of steps) {
        if ((taken & bit) !== 0n || (before & ~taken) !== 0n) continue;
        longer.set(taken | bit, (longer.get(taken | bit) ?? 0) + count);
      }
    }
    ways = longer;
  }
  return ways.get((1n << BigInt(steps.length)) - 1n) ?? 0;
}
