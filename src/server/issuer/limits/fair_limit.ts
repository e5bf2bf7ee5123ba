import type { OAuthError } from "../../protocol/oauth_error.ts";
import { createFairQueue, type FairQueueOptions } from "./fair_queue.ts";
import { limitExceeded, limitRules } from "./limit_rules.ts";

/** Runs costly work, a few pieces at a time; the others wait in a fair order. */
export type FairLimit = <T>(sender: string | undefined, work: () => Promise<T>) => Promise<T>;

/** Settings of a limit. */
export interface FairLimitOptions extends FairQueueOptions {
  /** How many pieces of work run at a time. */
  concurrency: number;
  /**
   * How many of them one sender may have. Unknown senders have no such limit. Default: all of them.
   */
  concurrencyPerSender?: number;
  /** Creates the error for work that finds no place. */
  createError: () => OAuthError;
}

/** Begins the work whose turn has come, or turns it away. */
interface WaitingWork {
  begin: () => void;
  giveUp: (cause: OAuthError) => void;
}

/** Creates a limit on concurrent work. */
export function createFairLimit(options: FairLimitOptions): FairLimit {
  const { concurrency, concurrencyPerSender = concurrency, createError } = options;
  const waiting = createFairQueue<WaitingWork>(options);
  /** The senders of the running work, one entry for each piece. */
  const running: Array<string | undefined> = [];

  function mayBegin(sender: string | undefined): boolean {
    const own = running.filter((other) => other === sender).length;
    return sender === undefined || own < concurrencyPerSender;
  }

  function beginNext(): void {
    if (running.length >= concurrency) return;
    const next = waiting.takeNext(mayBegin);
    if (!next) return;
    running.push(next.sender);
    next.item.begin();
  }

  return async (sender, work) => {
    // All work waits, even if a place is free: the queue remembers who was served.
    await new Promise<void>((begin, giveUp) => {
      waiting.add(sender, { begin, giveUp })?.giveUp(createError());
      beginNext();
    });
    try {
      return await work();
    } finally {
      running.splice(running.indexOf(sender), 1);
      beginNext();
    }
  };
}

/**
 * Limits password checks. Each check keeps a thread busy for a fifth of a second, and half of the
 * machine is left to everything else.
 */
export function createPasswordLimit(cores: number): FairLimit {
  return createFairLimit({
    concurrency: passwordConcurrency(cores),
    maxPerSender: 10,
    max: 200,
    createError: () => limitExceeded(limitRules.sign_ins),
  });
}

/**
 * Limits requests to URLs of untrusted clients. Each can occupy a connection for some seconds, so
 * one sender gets only a tenth of the places.
 */
export function createUntrustedFetchLimit(): FairLimit {
  return createFairLimit({
    concurrency: 400,
    concurrencyPerSender: 40,
    maxPerSender: 200,
    max: 2000,
    createError: () => limitExceeded(limitRules.fetches),
  });
}

/** Returns how many passwords are checked at a time. */
export function passwordConcurrency(cores: number): number {
  return Math.max(1, Math.min(3, Math.floor(cores / 2)));
}
