import { type BoundedMap, createBoundedMap } from "../../util/bounded_map.ts";

/** Puts back what was taken from a budget. */
export type Refund = () => void;

/**
 * What each name may use up in a minute, in this process. Every budget remembers its own names,
 * so that names which cost nothing cannot push out those of another budget.
 */
export interface Budget {
  /**
   * Takes an amount from what a name has left, or nothing if too little is left. What other
   * processes have used counts as well. Without a name, there is no one to charge.
   */
  take(name: string | undefined, amount?: number, usedElsewhere?: number): Refund | undefined;
  /** How much a name has used in the current minute. */
  used(name: string): number;
}

const minute = 60_000;
const maxNames = 10_000;

export function createBudget(now: () => number, perMinute: number): Budget {
  let started = NaN;
  let counts = createBoundedMap<number>(maxNames);

  function current() {
    const latest = Math.floor(now() / minute);
    if (latest !== started) [started, counts] = [latest, createBoundedMap(maxNames)];
    return counts;
  }

  return {
    take(name, amount = 1, usedElsewhere = 0) {
      if (name === undefined) return () => {};
      const counts = current();
      const used = counts.get(name) ?? 0;
      const isEnough = used + usedElsewhere + amount <= perMinute;
      // Set even if nothing is taken: a name that is asked for again and again is not forgotten.
      if (isEnough || used > 0) counts.set(name, isEnough ? used + amount : used);
      return isEnough ? () => putBack(counts, name, amount) : undefined;
    },
    used: (name) => current().get(name) ?? 0,
  };
}

/** A name that has used nothing takes up no room. */
function putBack(counts: BoundedMap<number>, name: string, amount: number): void {
  const left = (counts.get(name) ?? 0) - amount;
  if (left > 0) counts.set(name, left);
  else counts.delete(name);
}

/** Takes from several budgets, or from none of them. */
export function takeAll(takes: ReadonlyArray<() => Refund | undefined>): Refund | undefined {
  const taken: Refund[] = [];
  const giveBack = () => taken.forEach((giveBack) => giveBack());
  for (const take of takes) {
    const one = take();
    if (!one) {
      giveBack();
      return undefined;
    }
    taken.push(one);
  }
  return giveBack;
}
