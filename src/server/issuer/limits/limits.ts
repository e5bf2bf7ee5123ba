import type { Settings } from "../../config/settings.ts";
import { randomId } from "../random.ts";
import type { Records } from "../records/records.ts";
import { type Budget, createBudget } from "./budget.ts";
import { createPasswordLimit, createUntrustedFetchLimit, type FairLimit } from "./fair_limit.ts";
import { createFetchBudgets, type FetchBudgets } from "./fetch_budgets.ts";
import {
  createSharedCounts,
  type GuessLimits,
  limitClientGuesses,
  limitUserGuesses,
} from "./guess_limits.ts";

/** What limits how much a server does for others. */
export interface Limits {
  readonly passwords: GuessLimits;
  /** Guesses at secrets of clients that are short enough to be guessed. */
  readonly clientSecrets: GuessLimits;
  /** Creates limits on guesses at another secret of users. */
  readonly userGuesses: () => GuessLimits;
  /** Checks a few passwords at a time: each check keeps a core busy for a fifth of a second. */
  readonly passwordChecks: FairLimit;
  readonly fetches: FetchBudgets;
  /** Sends requests to URLs of untrusted clients, a limited number at a time. */
  readonly untrustedFetches: FairLimit;
  /**
   * What unauthenticated requests make us store, by the network of the sender, in characters of
   * JSON.
   */
  readonly storedBytes: Budget;
}

export function createLimits(settings: Settings, records: Records): Limits {
  const { now, guessesPerMinute: perMinute } = settings;
  const shared = createSharedCounts(records.guessCounts, now, () => randomId({ settings }));
  const userGuesses = () => limitUserGuesses({ now, perMinute, shared });
  return {
    passwords: userGuesses(),
    clientSecrets: limitClientGuesses({ now, perMinute }),
    userGuesses,
    passwordChecks: createPasswordLimit(globalThis.navigator?.hardwareConcurrency ?? 1),
    fetches: createFetchBudgets(now, settings.documentsPerMinute),
    untrustedFetches: createUntrustedFetchLimit(),
    storedBytes: createBudget(now, settings.storedBytesPerMinute),
  };
}
