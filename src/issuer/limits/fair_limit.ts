import { errorFactory, type OAuthError } from "../../protocol/oauth_error.ts";
import { createFairQueue, type FairQueueLimits } from "./fair_queue.ts";

const temporarilyUnavailable = errorFactory("temporarily_unavailable");

/** Runs a few pieces of costly work at a time, and lets the others wait in a fair order. */
export type FairLimit = <T>(sender: string | undefined, work: () => Promise<T>) => Promise<T>;

/** Settings of a limit. */
export interface FairLimitOptions extends FairQueueLimits {
  /** How many run at a time. */
  atOnce: number;
}

interface QueuedTurn {
  begin: () => void;
  giveUp: (cause: OAuthError) => void;
}

export function createFairLimit({ atOnce, ...limits }: FairLimitOptions): FairLimit {
  const waiting = createFairQueue<QueuedTurn>(limits);
  let running = 0;

  /** Work that ends passes its place on, so that no newcomer can slip in between. */
  async function waitForTurn(sender: string | undefined): Promise<void> {
    if (running < atOnce) return void running++;
    await new Promise<void>((begin, giveUp) => {
      waiting.add(sender, { begin, giveUp })?.giveUp(serverBusy());
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

function serverBusy(): OAuthError {
  const message = "Too many people are signing in at this moment; try again in a few seconds.";
  return temporarilyUnavailable(message, { headers: { "Retry-After": "5" } });
}

/**
 * Limits checks of passwords. Each one keeps a thread busy for a fifth of a second, and half of the
 * machine is left to everything else.
 */
export function createPasswordLimit(cores: number): FairLimit {
  return createFairLimit({ atOnce: passwordsAtOnce(cores), maxPerSender: 10, max: 200 });
}

export function passwordsAtOnce(cores: number): number {
  return Math.max(1, Math.min(3, Math.floor(cores / 2)));
}
