import { minute } from "../../util/time/duration.ts";
import { idPrefix, joinId, splitId } from "../records/row_id.ts";
import type { Table } from "../records/table.ts";
import { createBudget, type Refund, takeAll } from "./budget.ts";
import { limitExceeded, limitRules } from "./limit_rules.ts";

/** One attempt at a secret. */
export interface Guess {
  /** Whose secret is guessed. */
  name: string;
  /** The network that it comes from, if known. */
  sender?: string | undefined;
  /** Finds a budget that this browser has for itself. Called only if another one is used up. */
  ownBudget?: () => Promise<string | undefined>;
}

/** Slows down guessing (OAuth 2.1, section 2.4.1). */
export interface GuessLimits {
  /**
   * Runs a check unless too many recent attempts were wrong. An attempt counts before it is
   * checked, so that a thousand at once are not all let through. Only a wrong one remains counted.
   */
  check<T>(guess: Guess, run: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** Settings of the limits on guesses. */
export interface GuessLimitOptions {
  now: () => number;
  /** Wrong guesses of one sender at one name. */
  perMinute: number;
}

/** Many people may share a network, and many networks may try one name. */
const senderWeight = 10;
const nameWeight = 20;

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
    const refund = takeAll([
      // Comes first: a sender whose budget is used up makes us remember no more names.
      () => ofSender.take(sender),
      () => ofSenderAtName.take(sender && `${sender} ${name}`),
      () => ofName.take(name, 1, usedElsewhere),
    ]);
    if (refund) return refund;
    const browser = await ownBudget?.();
    return browser === undefined ? undefined : ofBrowser.take(browser);
  }

  return {
    async check(guess, run) {
      const result = await runCharged(await take(guess), run);
      if (result === undefined) await shared.publish(guess.name, () => ofName.used(guess.name));
      return result;
    },
  };
}

/**
 * Limits guesses at short secrets of clients. The right secret is never refused because of wrong
 * ones from elsewhere, unless addresses are unknown: then everyone is one sender.
 */
export function limitClientGuesses({ now, perMinute }: GuessLimitOptions): GuessLimits {
  const ofSenderAtName = createBudget(now, perMinute);
  const ofName = createBudget(now, perMinute * nameWeight);
  return {
    async check({ name, sender }, run) {
      const refund = sender === undefined
        ? ofName.take(name)
        : ofSenderAtName.take(`${sender} ${name}`);
      return await runCharged(refund, run);
    },
  };
}

/** Runs a check that was paid for. A check that throws is not a wrong guess. */
async function runCharged<T>(
  refund: Refund | undefined,
  run: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!refund) throw limitExceeded(limitRules.guesses);
  try {
    const result = await run();
    if (result !== undefined) refund();
    return result;
  } catch (cause) {
    refund();
    throw cause;
  }
}

/** Counts of the current minute that processes share through the store. */
export type SharedCounts = ReturnType<typeof createSharedCounts>;

/** Each process writes its own rows, `name/minute/process`: none overwrites another's count. */
export function createSharedCounts(
  table: Table<number>,
  now: () => number,
  newProcessId: () => string,
) {
  let processId: string | undefined;
  const writeInTurn = createWritesInTurn();
  const currentMinute = () => Math.floor(now() / 1000 / minute);
  return {
    /** Returns what the other processes have counted for a name. */
    async usedElsewhere(name: string): Promise<number> {
      const rows = await table.list(idPrefix(name, `${currentMinute()}`));
      const rowsOfOthers = rows.filter(([id]) => splitId(id)[2] !== processId);
      return rowsOfOthers.reduce((sum, [, count]) => sum + count, 0);
    },
    /** Publishes what this process has counted when it is written. */
    async publish(name: string, count: () => number): Promise<void> {
      processId ??= newProcessId();
      const thisMinute = currentMinute();
      const end = (thisMinute + 1) * minute * 1000;
      const id = joinId(name, `${thisMinute}`, processId);
      // A write that begins in the next minute would have the count of that one.
      await writeInTurn(id, async () => {
        if (currentMinute() === thisMinute) await table.put(id, count(), end);
      });
    },
  };
}

/**
 * Makes one write of a row at a time: a store may make two at once in either order. All that come
 * meanwhile share the next one, so that none waits for more than two.
 */
function createWritesInTurn(): (id: string, write: () => Promise<void>) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const next = new Map<string, Promise<void>>();
  async function begin(id: string, write: () => Promise<void>): Promise<void> {
    const writing = write();
    running.set(id, writing);
    await writing.finally(() => running.get(id) === writing && running.delete(id));
  }
  async function beginAfter(earlier: Promise<void>, id: string, write: () => Promise<void>) {
    await earlier.catch(() => {});
    next.delete(id);
    await begin(id, write);
  }
  return async (id, write) => {
    const earlier = running.get(id);
    if (earlier && !next.has(id)) next.set(id, beginAfter(earlier, id, write));
    await (next.get(id) ?? begin(id, write));
  };
}
