import { createSenderLines } from "./sender_lines.ts";
import { afterPromises, afterTurn, createProcessorClock } from "./turn.ts";

/**
 * How long requests may keep the thread busy in one turn of the event loop, in milliseconds.
 * Connections are accepted, and probes get their responses, between turns.
 */
const slice = 12;

/** The slice of the turn after a connection was accepted. */
const shortSlice = 1;

/** The share of a slice that refusals may take. */
const refusalShare = 1 / 3;

/** For how much of the processor's time a request may wait for the thread, in milliseconds. */
const maxWait = 500;

/** How many requests begin before the time is checked again: waiting for their promises costs. */
const stepSize = 8;

/** How many refusals may wait. Further ones are sent at once, however long that takes. */
const maxRefusals = 10_000;

/** How time passes for an admission. */
export type AdmissionClock = ReturnType<typeof platformClock>;

interface WaitingRequest {
  sender: string | undefined;
  /** In the processor's time. */
  since: number;
  decide(mayBegin: boolean): void;
}

function platformClock() {
  return {
    /** Returns the time in milliseconds. */
    now: () => performance.now(),
    /** Returns for how long this process had a processor, in milliseconds. */
    processorTime: createProcessorClock(),
    /** Calls back when the requests that have begun wait for something other than promises. */
    afterStep: afterPromises,
    /** Calls back when this turn of the event loop has read what had arrived. */
    afterTurn,
  };
}

/**
 * Lets requests begin when the thread has time for them. What waits in a socket has no age, so
 * every request is read, and requests begin for a slice of each turn: those of one sender in the
 * order in which they came, and senders take turns, so that none can crowd out the others. What has
 * waited too long is refused, and so are new requests of its sender meanwhile: how many may wait
 * follows from how fast the thread handles them. Refusals get only a share of the slice: otherwise,
 * clients that try again at once would leave no time for anything else.
 */
export function createAdmission(clock: AdmissionClock = platformClock()) {
  const { now, processorTime, afterStep, afterTurn } = clock;
  const waiting = createSenderLines<WaitingRequest>();
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
    if (waiting.size() + refusals.size === 0) return;
    turn = beginTurn();
    takeStep();
  }

  function takeStep(): void {
    for (const request of waiting.takeOld(processorTime() - maxWait)) {
      if (refusals.size < maxRefusals) refusals.add(request);
      else request.decide(false);
    }
    for (let count = 0; count < stepSize; count++) {
      if (!refuseNext() && !beginNext()) return;
    }
    afterStep(takeStep);
  }

  function refuseNext(): boolean {
    const [next] = refusals;
    if (!next || !isWithinSlice(now(), refusalShare)) return false;
    refusals.delete(next);
    next.decide(false);
    return true;
  }

  function beginNext(): boolean {
    const next = isWithinSlice(now()) ? waiting.takeNext() : undefined;
    next?.decide(true);
    return next !== undefined;
  }

  function isWithinSlice(time: number, share = 1): boolean {
    turn ??= beginTurn();
    return time - turn.began < share * turn.slice;
  }

  return {
    /** Whether a request may begin at once. */
    hasTime: () => waiting.size() === 0 && isWithinSlice(now()),
    /**
     * Resolves with true when a sender's request may begin, or with false if it must be refused.
     */
    wait(sender: string | undefined): Promise<boolean> {
      const since = processorTime();
      const isRefused = waiting.oldestOf(sender) <= since - maxWait;
      if (isRefused && refusals.size >= maxRefusals) return Promise.resolve(false);
      return new Promise((decide) => {
        const request = { sender, since, decide };
        if (isRefused) refusals.add(request);
        else waiting.add(request);
      });
    },
    /**
     * Notes that a connection was accepted. Node accepts only one in each turn, and a probe may be
     * waiting behind it: so the next turn is a short one. A flood of connections makes all turns
     * short, which costs no measurable throughput; whole turns between would delay probes by
     * seconds.
     */
    noteConnection: () => void (hasNewConnection = true),
  };
}
