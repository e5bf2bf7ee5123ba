import type { OAuthError } from "../../protocol/oauth_error.ts";
import { fetchesAreFew, limitExceeded, signInsAreFew } from "./limit_rules.ts";

/** Runs costly work, a few pieces at a time; the others wait in a fair order. */
export type FairLimit = <T>(sender: string | undefined, work: () => Promise<T>) => Promise<T>;

/** Settings of a limit. */
export interface FairLimitOptions {
  /** How many pieces of work run at a time. */
  concurrency: number;
  /**
   * How many of them one sender may have. Unknown senders have no such limit. Default: all of them.
   */
  concurrencyPerSender?: number;
  /** How many pieces of one sender can wait. Unknown senders share one line, without this limit. */
  maxPerSender: number;
  /** How many pieces can wait. */
  max: number;
  /** Creates the error for work that finds no place. */
  createError: () => OAuthError;
}

interface WaitingTurn {
  sender: string | undefined;
  /** Senders take turns, one piece a round. Newcomers are half a round before the others. */
  round: number;
  begin: () => void;
  giveUp: (cause: OAuthError) => void;
}

/** Creates a limit on concurrent work. */
export function createFairLimit(options: FairLimitOptions): FairLimit {
  const { concurrency, concurrencyPerSender = concurrency, maxPerSender, max } = options;
  /** The turns of each sender that waits. */
  const lines = new Map<string | undefined, WaitingTurn[]>();
  /** The senders of the running work, one entry for each piece. */
  const running: Array<string | undefined> = [];
  let lastBegun: WaitingTurn | undefined;

  /** Adds a turn to its sender's line. Returns the one that has to leave if there is no room. */
  function enqueue(turn: WaitingTurn): WaitingTurn | undefined {
    const all = [...lines.values()];
    const line = lines.get(turn.sender) ?? [];
    const length = line.length + 1;
    if (turn.sender !== undefined && length > maxPerSender) return turn;
    const isFull = all.flat().length >= max;
    const longest = all.reduce(
      (longest, each) => each.length > longest.length ? each : longest,
      line,
    );
    // A waiting turn does not make room for a line that would be as long as its own.
    if (isFull && length >= longest.length) return turn;
    const dropped = isFull ? longest.pop() : undefined;
    lines.set(turn.sender, [...line, turn]);
    return dropped;
  }

  function roundOf(sender: string | undefined): number {
    const previous = lines.get(sender)?.at(-1) ?? lastBegun;
    if (!previous) return 1;
    return Math.floor(previous.round) + (previous.sender === sender ? 1.5 : 1);
  }

  function mayBegin(sender: string | undefined): boolean {
    const own = running.filter((other) => other === sender).length;
    return sender === undefined || own < concurrencyPerSender;
  }

  function beginNext(): void {
    if (running.length >= concurrency) return;
    const [next] = [...lines.values()]
      .flatMap(([first]) => first && mayBegin(first.sender) ? [first] : [])
      .sort((a, b) => a.round - b.round);
    if (!next) return;
    const { sender } = next;
    const others = lines.get(sender)?.slice(1) ?? [];
    lines.delete(sender);
    if (others.length > 0) lines.set(sender, others);
    running.push(sender);
    lastBegun = next;
    next.begin();
  }

  return async (sender, work) => {
    // All work waits, even if a place is free: the limit remembers who was served.
    await new Promise<void>((begin, giveUp) => {
      enqueue({ sender, round: roundOf(sender), begin, giveUp })?.giveUp(options.createError());
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
    createError: () => limitExceeded(signInsAreFew),
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
    createError: () => limitExceeded(fetchesAreFew),
  });
}

/** Returns how many passwords are checked at a time. */
export function passwordConcurrency(cores: number): number {
  return Math.max(1, Math.min(3, Math.floor(cores / 2)));
}
