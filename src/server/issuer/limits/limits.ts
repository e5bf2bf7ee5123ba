import type { Settings } from "../../config/settings.ts";
import { randomId } from "../random.ts";
import type { Records } from "../records/records.ts";
import { createBudget } from "./budget.ts";
import { createPasswordLimit, createUntrustedFetchLimit } from "./fair_limit.ts";
import { createFetchBudgets } from "./fetch_budgets.ts";
import { createSharedCounts, limitClientGuesses, limitUserGuesses } from "./guess_limits.ts";

/** What limits how much a server does for others. */
export type Limits = ReturnType<typeof createLimits>;

export function createLimits(settings: Settings, records: Records) {
  const { now, guessesPerMinute: perMinute } = settings;
  const shared = createSharedCounts(records.guessCounts, now, () => randomId({ settings }));
  const userGuesses = () => limitUserGuesses({ now, perMinute, shared });
  return {
    passwords: userGuesses(),
    /** Guesses at secrets of clients that are short enough to be guessed. */
    clientSecrets: limitClientGuesses({ now, perMinute }),
    /** Creates limits on guesses at another secret of users. */
    userGuesses,
    /** Checks a few passwords at a time: each check keeps a core busy for a fifth of a second. */
    passwordChecks: createPasswordLimit(globalThis.navigator?.hardwareConcurrency ?? 1),
    fetches: createFetchBudgets(now, settings.documentsPerMinute),
    /** Sends requests to URLs of untrusted clients, a limited number at a time. */
    untrustedFetches: createUntrustedFetchLimit(),
    /**
     * What unauthenticated requests make us store, by the network of the sender, in characters of
     * JSON.
     */
    storedBytes: createBudget(now, settings.storedBytesPerMinute),
  };
}
