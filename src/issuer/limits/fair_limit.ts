import { errorFactory, type OAuthError } from "../../protocol/oauth_error.ts";
import { createFairQueue, type FairQueueLimits } from "./fair_queue.ts";

const temporarilyUnavailable = errorFactory("temporarily_unavailable");

/** Runs costly work, a few pieces at a time; the others wait in a fair order. */
export type FairLimit = <T>(sender: string | undefined, work: () => Promise<T>) => Promise<T>;

/** Settings of a limit. */
export interface FairLimitOptions extends FairQueueLimits {
  /** How many pieces of work run at a time. */
  concurrency: number;
}

interface QueuedTurn {
  begin: () => void;
  giveUp: (cause: OAuthError) => void;
}

/** Creates a limit on concurrent work. */
export function createFairLimit({ concurrency, ...limits }: FairLimitOptions): FairLimit {
  const waiting = createFairQueue<QueuedTurn>(limits);
  let running = 0;

  /** Finished work passes its place on directly, so that no newcomer can slip in between. */
  async function waitForTurn(sender: string | undefined): Promise<void> {
    await new Promise<void>((begin, giveUp) => {
      // Even if there is a free place: the queue remembers who was served.
      waiting.add(sender, { begin, giveUp })?.giveUp(serverBusy());
      if (running < concurrency) {
        running++;
        passOn();
      }
    });
  }

  function passOn(): void {
    const next = waiting.take();
    if (next) next.begin();
    else running--;
  }

  return async (sender, work) => {
    await waitForTurn(sender);
    try {
      return await work();
    } finally {
      passOn();
    }
  };
}

/**
 * Limits password checks. Each check keeps a thread busy for a fifth of a second, and half of the
 * machine is left to everything else.
 */
export function createPasswordLimit(cores: number): FairLimit {
  return createFairLimit({ concurrency: passwordConcurrency(cores), maxPerSender: 10, max: 200 });
}

/** Returns how many passwords are checked at a time. */
export function passwordConcurrency(cores: number): number {
  return Math.max(1, Math.min(3, Math.floor(cores / 2)));
}

function serverBusy(): OAuthError {
  const message = "Too many people are signing in right now; try again in a few seconds.";
  return temporarilyUnavailable(message, { headers: { "Retry-After": "5" } });
}
