import { afterPromises, afterTurn } from "./turn.ts";

/**
 * How long requests may keep the thread busy in one turn of the event loop, in milliseconds.
 * Connections are accepted, and probes get their responses, between turns.
 */
const slice = 12;

/** The slice of the turn after a connection was accepted. */
const shortSlice = 1;

/** The share of a slice that refusals may take. */
const refusalShare = 1 / 3;

/** How long a request may wait for the thread, in milliseconds. */
const maxWait = 500;

/** How many requests begin before the time is checked again: waiting for their promises costs. */
const stepSize = 8;

/** How many refusals may wait. Further ones are sent at once, however long that takes. */
const maxRefusals = 10_000;

/** Lets requests begin when the thread has time for them. */
export interface Admission {
  /** Whether a request may begin at once. */
  hasTime(): boolean;
  /** Resolves with true when a request may begin, or with false if it must be refused. */
  wait(): Promise<boolean>;
  /**
   * Notes that a connection was accepted. Node accepts only one in each turn, and a probe may be
   * waiting behind it: so the next turn is a short one.
   */
  noteConnection(): void;
}

/** How time passes for an admission. */
export interface AdmissionClock {
  /** Returns the time in milliseconds. */
  now(): number;
  /** Calls back when the requests that have begun wait for something other than promises. */
  afterStep(next: () => void): void;
  /** Calls back when this turn of the event loop has read what had arrived. */
  afterTurn(next: () => void): void;
}

/** A request that waits for the thread. */
interface WaitingRequest {
  since: number;
  decide(mayBegin: boolean): void;
}

const platformClock: AdmissionClock = {
  now: () => performance.now(),
  afterStep: afterPromises,
  afterTurn,
};

/**
 * Creates an admission. What waits in a socket has no age, so every request is read, and the
 * requests begin in the order in which they came, for a slice of each turn. While the oldest one
 * has waited too long, new ones are refused: how many may wait follows from how fast the thread
 * handles them. Refusals get only a share of the slice: otherwise, clients that try again at once
 * would leave no time for anything else.
 */
export function createAdmission(clock: AdmissionClock = platformClock): Admission {
  const { now, afterStep, afterTurn } = clock;
  // Both in the order in which the requests came.
  const waiting = new Set<WaitingRequest>();
  const refusals = new Set<WaitingRequest>();
  let turn: { began: number; slice: number } | undefined;
  let hasNewConnection = false;

  function beginTurn() {
    const begun = { began: now(), slice: hasNewConnection ? shortSlice : slice };
    hasNewConnection = false;
    afterTurn(endTurn);
    return begun;
  }

  function endTurn(): void {
    turn = undefined;
    if (waiting.size + refusals.size === 0) return;
    turn = beginTurn();
    takeStep();
  }

  function takeStep(): void {
    for (let count = 0; count < stepSize; count++) {
      const time = now();
      const next = firstOf(refusals, time, refusalShare) ?? firstOf(waiting, time);
      if (!next) return;
      const isWaiting = waiting.delete(next);
      refusals.delete(next);
      next.decide(isWaiting && !isOverdue(next, time));
    }
    afterStep(takeStep);
  }

  /** Returns the next request in a line, unless this share of the slice has passed. */
  function firstOf(
    line: ReadonlySet<WaitingRequest>,
    time: number,
    share = 1,
  ): WaitingRequest | undefined {
    const [first] = line;
    return first && isWithinSlice(time, share) ? first : undefined;
  }

  function isWithinSlice(time: number, share = 1): boolean {
    turn ??= beginTurn();
    return time - turn.began < share * turn.slice;
  }

  function isOverdue({ since }: WaitingRequest, time: number): boolean {
    return time - since >= maxWait;
  }

  return {
    hasTime: () => waiting.size === 0 && isWithinSlice(now()),
    wait() {
      const since = now();
      const [oldest] = waiting;
      const isRefused = oldest !== undefined && isOverdue(oldest, since);
      if (isRefused && refusals.size >= maxRefusals) return Promise.resolve(false);
      return new Promise((decide) => (isRefused ? refusals : waiting).add({ since, decide }));
    },
    noteConnection: () => void (hasNewConnection = true),
  };
}
