import { createBudget, takeAll } from "./budget.ts";
import { tooMany } from "./too_many.ts";

/** Pays for fetching a URL out of some budget, or throws. */
export type Pay = (url: string) => void;

/** What strangers may make us fetch in a minute: they must neither send us against a site nor keep us busy. */
export interface FetchBudgets {
  /** For what is not known yet: out of the sender's budget first, then out of those that all senders share. */
  payForLookup(url: string, sender: string | undefined): void;
  /** For reading again what is kept. No lookup touches this budget. */
  payForReread(url: string): void;
}

/** So that no single sender can use up what there is for a host. */
const shareOfHost = 1 / 3;
const allHosts = 20;

/** A sender may look up so many documents in a minute; as many may be looked up at one host. */
export function createFetchBudgets(now: () => number, perMinute: number): FetchBudgets {
  const ofSender = createBudget(now, perMinute);
  const ofSenderAtHost = createBudget(now, perMinute * shareOfHost);
  const ofEveryone = () => ({ ofHost: createBudget(now, perMinute), all: createBudget(now, perMinute * allHosts) });
  const [lookups, rereads] = [ofEveryone(), ofEveryone()];

  function pay(budgets: typeof lookups, url: string, sender?: string): void {
    const { host } = new URL(url);
    const ofSenders = sender === undefined ? [] : [() => ofSender.take(sender), () => ofSenderAtHost.take(`${sender} ${host}`)];
    if (takeAll([...ofSenders, () => budgets.all.take("all"), () => budgets.ofHost.take(host)])) return;
    throw tooMany("Too many requests point to other sites; try again in a minute.");
  }

  return {
    payForLookup: (url, sender) => pay(lookups, url, sender),
    payForReread: (url) => pay(rereads, url),
  };
}
