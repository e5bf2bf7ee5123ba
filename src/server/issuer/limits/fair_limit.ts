import type { OAuthError } from "../../protocol/oauth_error.ts";
import { limitExceeded, limitRules } from "./limit_rules.ts";

/** Runs costly work, a few pieces at a time; the others wait in a fair order. */
export type FairLimit = <T>(sender: string | undefined, work: () => Promise<T>) => Promise<T>;

interface FairLimitOptions extends FairQueueOptions {
  /** How many pieces of work run at a time. */
  concurrency: number;
  /**
   * How many of them one sender may have. Unknown senders have no such limit. Default: all of them.
   */
  concurrencyPerSender?: number;
  /** Creates the error for work that finds no place. */
  createError: () => OAuthError;
}

export function createFairLimit(options: FairLimitOptions): FairLimit {
  const { concurrency, concurrencyPerSender = concurrency, createError } = options;
  /** Each begins the work whose turn has come, or turns it away. */
  const waiting = createFairQueue<{ begin(): void; giveUp(cause: OAuthError): void }>(options);
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

/** An item whose turn has come. */
export interface Turn<T> {
  sender: string | undefined;
  item: T;
}

/** How many items can wait. */
export interface FairQueueOptions {
  /** For one sender. Unknown senders share one line, without this limit. */
  maxPerSender: number;
  /** Altogether. */
  max: number;
}

/** Holds what waits for its turn, in a line for each sender. The senders take turns. */
export function createFairQueue<T>({ maxPerSender, max }: FairQueueOptions) {
  /** The lines of the senders in the order of their turns. */
  const lines = new Map<string | undefined, Array<Turn<T>>>();
  let lastBegun: Turn<T> | undefined;

  return {
    /** Adds an item to its sender's line. Returns the one that has to leave if there is no room. */
    add(sender: string | undefined, item: T): T | undefined {
      const all = [...lines.values()];
      const line = lines.get(sender) ?? [];
      const length = line.length + 1;
      if (sender !== undefined && length > maxPerSender) return item;
      const isFull = all.flat().length >= max;
      const longest = all.reduce((one, other) => other.length > one.length ? other : one, line);
      // A waiting item does not make room for a line that would be as long as its own.
      if (isFull && length >= longest.length) return item;
      const dropped = isFull ? longest.pop() : undefined;
      lines.set(sender, [...line, { sender, item }]);
      return dropped?.item;
    },
    /** Takes the next item of the senders that may begin. */
    takeNext(mayBegin: (sender: string | undefined) => boolean): Turn<T> | undefined {
      const firsts = [...lines.values()]
        .flatMap(([first]) => first && mayBegin(first.sender) ? [first] : []);
      // A sender that comes back at once waits for the others.
      const next = firsts.find(({ sender }) => sender !== lastBegun?.sender) ?? firsts[0];
      if (!next) return undefined;
      const others = lines.get(next.sender)?.slice(1) ?? [];
      lines.delete(next.sender);
      if (others.length > 0) lines.set(next.sender, others);
      lastBegun = next;
      return next;
    },
  };
}
