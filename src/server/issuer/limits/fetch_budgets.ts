import { createBudget, type Refund, takeAll } from "./budget.ts";
import { limitExceeded, limitRules } from "./limit_rules.ts";

/** A sender whose budgets pay for fetches. */
export interface FetchPayer {
  /** The network that sent the request. */
  readonly sender: string | undefined;
  /** Takes the cost of fetching a URL from the budgets. Throws if too little is left. */
  charge(url: string): void;
}

/**
 * What untrusted clients may make us fetch in a minute: they must neither turn us against a site
 * nor keep us busy. The sender's own budget is charged first, then those that all senders share.
 */
export type FetchBudgets = ReturnType<typeof createFetchBudgets>;

/** No single sender can use up the budget of a host. */
const senderShareOfHost = 1 / 3;
/** One site may have any number of host names. */
const totalFactor = 20;

/**
 * Creates the budgets: a sender may look up `perMinute` documents, and all senders together as many
 * at one host. The budgets for rereading are as large again.
 */
export function createFetchBudgets(now: () => number, perMinute: number) {
  const total = createBudget(now, perMinute * totalFactor);
  return {
    /** Returns who pays for an unknown URL. */
    lookup: createPayers(now, perMinute, () => total.take("all")),
    /**
     * Returns who pays for reading a stored document again. Lookups do not touch these budgets.
     * There is none for all senders and hosts: a crowd would use it up, and a document that was
     * withdrawn would stay in use.
     */
    reread: createPayers(now, perMinute),
  };
}

function createPayers(
  now: () => number,
  perMinute: number,
  ...takeOthers: Array<() => Refund | undefined>
): (sender: string | undefined) => FetchPayer {
  const ofSender = createBudget(now, perMinute);
  const ofSenderAtHost = createBudget(now, perMinute * senderShareOfHost);
  const ofHost = createBudget(now, perMinute);
  return (sender) => ({
    sender,
    charge(url) {
      const { host } = new URL(url);
      const refund = takeAll([
        () => ofSender.take(sender),
        () => ofSenderAtHost.take(sender && `${sender} ${host}`),
        () => ofHost.take(host),
        ...takeOthers,
      ]);
      if (!refund) throw limitExceeded(limitRules.fetches);
    },
  });
}
