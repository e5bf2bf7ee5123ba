import { type Budget, createBudget, takeAll, tooMany } from "./budget.ts";

/** Takes the cost of fetching a URL from a budget. Throws if too little is left. */
export type ChargeFetch = (url: string) => void;

/**
 * What untrusted clients may make us fetch in a minute: they must neither direct us against a site
 * nor keep us busy.
 */
export interface FetchBudgets {
  /**
   * For an unknown URL: charges the sender's own budget first, then those that all senders share.
   */
  chargeLookup(url: string, sender: string | undefined): void;
  /** For reading a stored document again. Lookups do not touch this budget. */
  chargeReread(url: string): void;
}

interface SharedBudgets {
  ofHost: Budget;
  total: Budget;
}

/** No single sender can use up the budget of a host. */
const senderShareOfHost = 1 / 3;
const totalFactor = 20;

/**
 * Creates the budgets: a sender may look up `perMinute` documents, and so many are read from a
 * host.
 */
export function createFetchBudgets(now: () => number, perMinute: number): FetchBudgets {
  const ofSender = createBudget(now, perMinute);
  const ofSenderAtHost = createBudget(now, perMinute * senderShareOfHost);
  const lookups = createSharedBudgets();
  const rereads = createSharedBudgets();

  function createSharedBudgets(): SharedBudgets {
    return {
      ofHost: createBudget(now, perMinute),
      total: createBudget(now, perMinute * totalFactor),
    };
  }

  function charge(shared: SharedBudgets, url: string, sender?: string): void {
    const { host } = new URL(url);
    const refund = takeAll([
      () => ofSender.take(sender),
      () => ofSenderAtHost.take(sender && `${sender} ${host}`),
      () => shared.total.take("all"),
      () => shared.ofHost.take(host),
    ]);
    if (!refund) throw tooMany("Too many requests point to other sites; try again in a minute.");
  }

  return {
    chargeLookup: (url, sender) => charge(lookups, url, sender),
    chargeReread: (url) => charge(rereads, url),
  };
}
