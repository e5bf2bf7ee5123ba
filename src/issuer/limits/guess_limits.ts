import { createBudget, type Refund, takeAll } from "./budget.ts";
import type { SharedCounts } from "./shared_counts.ts";
import { tooMany } from "./too_many.ts";

/** One try at a secret. */
export interface Guess {
  /** Whose secret is tried. */
  name: string;
  /** The network that it comes from, where that is known. */
  sender?: string;
  /** Finds a budget that this browser has for itself; called only if another one is used up. */
  ownBudget?: () => Promise<string | undefined>;
}

/** Slows down guessing (OAuth 2.1, section 2.4.1). */
export interface GuessLimits {
  /**
   * Runs a check, unless too many were wrong lately. A try counts before it is checked, so that a
   * thousand at once are not all let through. Only one that finds nothing goes on counting.
   */
  check<T>(guess: Guess, run: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** Many people may share a network, and many networks may try one name. */
const senderWeight = 10;
const nameWeight = 20;

/** Settings of the limits on guesses. */
export interface GuessLimitOptions {
  now: () => number;
  /** Wrong guesses of one sender at one name. */
  perMinute: number;
}

/**
 * Limits guesses at what people type: of one sender at one name, of one sender at all names, and of
 * everyone at one name. Only the last one counts across processes. A browser with a budget of its
 * own is not locked out by anyone else's guesses.
 */
export function limitUserGuesses(
  options: GuessLimitOptions & { shared: SharedCounts },
): GuessLimits {
  const { now, perMinute, shared } = options;
  const ofSenderAtName = createBudget(now, perMinute);
  const ofSender = createBudget(now, perMinute * senderWeight);
  const ofName = createBudget(now, perMinute * nameWeight);
  const ofBrowser = createBudget(now, perMinute);

  async function take({ name, sender, ownBudget }: Guess): Promise<Refund | undefined> {
    const usedElsewhere = await shared.usedElsewhere(name);
    const taken = takeAll([
      // Comes first: a sender whose budget is used up makes us remember no more names.
      () => ofSender.take(sender),
      () => ofSenderAtName.take(sender && `${sender} ${name}`),
      () => ofName.take(name, 1, usedElsewhere),
    ]);
    if (taken) return taken;
    const browser = await ownBudget?.();
    return browser === undefined ? undefined : ofBrowser.take(browser);
  }

  return {
    async check(guess, run) {
      const found = await checkPaid(await take(guess), run);
      if (found === undefined) await shared.publish(guess.name, ofName.used(guess.name));
      return found;
    },
  };
}

/**
 * Limits guesses at short secrets of clients. The right secret is never refused because of wrong
 * ones from elsewhere; only where no address is known is everyone one sender.
 */
export function limitClientGuesses({ now, perMinute }: GuessLimitOptions): GuessLimits {
  const ofSenderAtName = createBudget(now, perMinute);
  const ofName = createBudget(now, perMinute * nameWeight);
  return {
    async check({ name, sender }, run) {
      const taken = sender === undefined
        ? ofName.take(name)
        : ofSenderAtName.take(`${sender} ${name}`);
      return await checkPaid(taken, run);
    },
  };
}

/** A check that fails for another reason is no wrong guess. */
async function checkPaid<T>(
  giveBack: Refund | undefined,
  run: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!giveBack) throw tooMany("Too many wrong attempts; try again in a minute.");
  try {
    const found = await run();
    if (found !== undefined) giveBack();
    return found;
  } catch (cause) {
    giveBack();
    throw cause;
  }
}
