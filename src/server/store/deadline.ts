import { withTimeout } from "../util/time/promises.ts";
import { withBatch } from "./batch.ts";
import type { Store } from "./store.ts";

/** How long a call of a store may take, in milliseconds. */
const deadline = 5 * 1000;

/** Makes each call of a store fail that takes longer than five seconds. */
export function withDeadline(store: Store): Store {
  const { now, batch } = store;
  const overdue = () => new Error(`The store did not respond within ${deadline / 1000} seconds.`);
  const limit = <T>(work: Promise<T>) => withTimeout(deadline, work, overdue);
  const limited: Store = {
    ...store,
    get: (...args) => limit(store.get(...args)),
    put: (...args) => limit(store.put(...args)),
    add: (...args) => limit(store.add(...args)),
    consume: (...args) => limit(store.consume(...args)),
    delete: (...args) => limit(store.delete(...args)),
    list: (...args) => limit(store.list(...args)),
    sweep: (...args) => limit(store.sweep(...args)),
    ...now && { now: () => limit(now()) },
  };
  return batch ? withBatch(limited, (calls) => limit(batch.call(store, calls))) : limited;
}
