import type { Store } from "../../server/store/store.ts";
import { StoreUnavailableError } from "../../server/store/store_errors.ts";
import { minute, second } from "../../server/util/time/duration.ts";

/** How long a starting server waits for its store, in seconds. */
export const storeTimeout = 1 * minute;

/** The pause before the store is tried again, in milliseconds. */
const pause = 1 * second * 1000;

/** The clock of a server that waits. */
interface Waiting {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

const realTime: Waiting = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * Opens a store, and tries again while it is unavailable: servers and their database may start at
 * the same time. Reports each reason once.
 */
export async function waitForStore(
  open: () => Promise<Store>,
  report: (message: string) => void,
  { now, sleep }: Waiting = realTime,
): Promise<Store> {
  const end = now() + storeTimeout * 1000;
  let reported = "";
  while (true) {
    try {
      return await open();
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError) || now() >= end) throw cause;
      if (cause.message !== reported) report(describeFailure(cause));
      reported = cause.message;
    }
    await sleep(pause);
  }
}

function describeFailure({ message }: StoreUnavailableError): string {
  return `${message.replace(/\.?$/, ".")} Trying again for up to ${storeTimeout} seconds.`;
}
