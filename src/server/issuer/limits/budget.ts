import { type Client, isPublic } from "../../model/client.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import { minute } from "../../util/time/duration.ts";
import { type BoundedMap, createBoundedMap, megabyte } from "../../util/values/bounded_map.ts";
import { limitExceeded, limitRules } from "./limit_rules.ts";

/** More than 10,000 names. */
const maxBytes = 4 * megabyte;

/** What a row takes up in addition to its value, in bytes. */
const rowOverhead = 256;

/** Puts back what was taken from a budget. */
export type Refund = () => void;

/**
 * How much each name may use in a minute, in this process. Every budget remembers its own names, so
 * that names which cost nothing cannot evict those of another budget.
 */
export type Budget = ReturnType<typeof createBudget>;

interface StoragePayer {
  limits: { storedBytes: Budget };
  sender?: string | undefined;
}

/** Creates a budget. Every name can use `perMinute` in each minute of the clock. */
export function createBudget(now: () => number, perMinute: number) {
  let countedMinute = NaN;
  let counts = createBoundedMap<number>(maxBytes);

  function currentCounts(): BoundedMap<number> {
    const thisMinute = Math.floor(now() / 1000 / minute);
    if (thisMinute === countedMinute) return counts;
    countedMinute = thisMinute;
    counts = createBoundedMap(maxBytes);
    return counts;
  }

  return {
    /**
     * Takes an amount from what a name has left, or nothing if too little is left. What other
     * processes have used counts as well. Without a name, there is no one to charge.
     */
    take(name: string | undefined, amount = 1, usedElsewhere = 0): Refund | undefined {
      if (name === undefined) return () => {};
      const counts = currentCounts();
      const used = counts.get(name) ?? 0;
      const isEnough = used + usedElsewhere + amount <= perMinute;
      // Set even if nothing is taken: a name that is tried again and again is not forgotten.
      if (isEnough || used > 0) counts.set(name, isEnough ? used + amount : used);
      return isEnough ? () => putBack(counts, name, amount) : undefined;
    },
    /** How much a name has used in the current minute. */
    used: (name: string) => currentCounts().get(name) ?? 0,
  };
}

/** Takes from several budgets, or from none of them. */
export function takeAll(takes: ReadonlyArray<() => Refund | undefined>): Refund | undefined {
  const refunds: Refund[] = [];
  const refundAll = () => refunds.forEach((refund) => refund());
  for (const take of takes) {
    const refund = take();
    if (!refund) {
      refundAll();
      return undefined;
    }
    refunds.push(refund);
  }
  return refundAll;
}

/** Whether something failed because a budget is used up. */
export function isTooMany(cause: unknown): boolean {
  return cause instanceof OAuthError && cause.status === 429;
}

/**
 * Charges the sender of a request for what it makes us store. Anyone may send such requests;
 * without a limit, one sender could fill the disk.
 */
export function chargeForStorage({ limits, sender }: StoragePayer, value: unknown): void {
  const bytes = JSON.stringify(value).length + rowOverhead;
  if (!limits.storedBytes.take(sender, bytes)) throw limitExceeded(limitRules.stored_data);
}

/** Charges for storage, unless the client is trusted and has authenticated. */
export function chargeClientForStorage(payer: StoragePayer, client: Client, value: unknown): void {
  if (isPublic(client) || !client.trusted) chargeForStorage(payer, value);
}

/** A name that has used nothing takes up no room. */
function putBack(counts: BoundedMap<number>, name: string, amount: number): void {
  const left = (counts.get(name) ?? 0) - amount;
  if (left > 0) counts.set(name, left);
  else counts.delete(name);
}
