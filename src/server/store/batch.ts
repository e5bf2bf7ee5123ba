import type { BatchedCall, BatchedResult, Store } from "./store.ts";

type Methods = Record<BatchedCall[0], (...args: readonly unknown[]) => Promise<BatchedResult>>;

/** Which calls that follow each other can be made at once: no order among them matters. */
const groups: Partial<Record<BatchedCall[0], "read" | "write">> = {
  get: "read",
  list: "read",
  put: "write",
  add: "write",
};

/**
 * Gives a store its `batch`. An object that copies the other methods does not copy it: a wrapper
 * that replaces one of them, perhaps to encrypt rows, must not be bypassed.
 */
export function withBatch(store: Store, batch: NonNullable<Store["batch"]>): Store {
  return Object.defineProperty(store, "batch", { value: batch });
}

export function makeCall(store: Store, call: BatchedCall): Promise<BatchedResult> {
  return (store as unknown as Methods)[call[0]](...call.slice(1));
}

/** Makes calls of a store, in one round trip if it can. */
export function makeCalls(store: Store, calls: readonly BatchedCall[]): Promise<BatchedResult[]> {
  return store.batch && calls.length > 1 ? store.batch(calls) : makeInOrder(store, calls);
}

/**
 * Makes each call after the one before it, but that several which read, or which write rows, are
 * made at once. What ends a credential keeps its place: after a crash, what came first must be
 * enough to repeat the rest.
 */
async function makeInOrder(store: Store, calls: readonly BatchedCall[]): Promise<BatchedResult[]> {
  const results: BatchedResult[] = [];
  while (results.length < calls.length) {
    const [first, ...others] = calls.slice(results.length) as [BatchedCall, ...BatchedCall[]];
    const group = groups[first[0]];
    const end = others.findIndex(([method]) => group === undefined || groups[method] !== group);
    const atOnce = [first, ...end < 0 ? others : others.slice(0, end)];
    results.push(...await Promise.all(atOnce.map((call) => makeCall(store, call))));
  }
  return results;
}
