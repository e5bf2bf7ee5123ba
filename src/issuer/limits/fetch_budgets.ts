import { createBudget, takeAll } from "./budget.ts";
import { tooMany } from "./too_many.ts";

/** Pays for fetching a URL out of some budget, or throws. */
export type ChargeFetch = (url: string) => void;

/**
 * What untrusted clients may make us fetch in a minute: they must neither direct us against a site
 * nor keep us busy.
 */
export interface FetchBudgets {
  /** For what is not known yet: the sender's own budget comes first, then those that all share. */
  chargeLookup(url: string, sender: string | undefined): void;
  /** For reading again what is kept. No lookup touches this budget. */
  chargeReread(url: string): void;
}

/** So that no single sender can use up what there is for a host. */
const shareOfHost = 1 / 3;
const allHosts = 20;

/** A sender may look up so many documents in a minute; as many may be looked up at one host. */
export function createFetchBudgets(now: () => number, perMinute: number): FetchBudgets {
  const ofSender = createBudget(now, perMinute);
  const ofSenderAtHost = createBudget(now, perMinute * shareOfHost);
  const [lookups, rereads] = [ofEveryone(), ofEveryone()];

  function ofEveryone() {
    return { ofHost: createBudget(now, perMinute), all: createBudget(now, perMinute * allHosts) };
  }

  function pay(budgets: typeof lookups, url: string, sender?: string): void {
    const { host } = new URL(url);
    const taken = takeAll([
      () => ofSender.take(sender),
      () => ofSenderAtHost.take(sender && `${sender} ${host}`),
      () => budgets.all.take("all"),
      () => budgets.ofHost.take(host),
    ]);
    if (!taken) throw tooMany("Too many requests point to other sites; try again in a minute.");
  }

  return {
    chargeLookup: (url, sender) => pay(lookups, url, sender),
    chargeReread: (url) => pay(rereads, url),
  };
}
