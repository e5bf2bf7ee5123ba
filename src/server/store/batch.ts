import type { BatchedCall, BatchedResult, Store } from "./store.ts";

type Methods = Record<BatchedCall[0], (...args: readonly unknown[]) => Promise<BatchedResult>>;

/** Which calls can be made at once, as the order among them cannot matter. */
const groups: Record<BatchedCall[0], "reads" | "writes" | "marks"> = {
  get: "reads",
  list: "reads",
  put: "writes",
  add: "writes",
  delete: "writes",
  consume: "marks",
};

/**
 * Gives a store its `batch`. An object that copies the other methods does not copy it: a wrapper
 * that replaces one of them, perhaps to encrypt rows, must not be bypassed.
 */
export function withBatch(store: Store, batch: NonNullable<Store["batch"]>): Store {
  return Object.defineProperty(store, "batch", { value: batch });
}

/** Makes a call of a store. */
export function makeCall(store: Store, [method, ...args]: BatchedCall): Promise<BatchedResult> {
  return (store as unknown as Methods)[method](...args);
}

/**
 * Makes calls of a store, in one round trip if it can. Reads, writes and marks of use that follow
 * each other may be made at once; otherwise each call follows the one before it.
 */
export async function makeCalls(
  store: Store,
  calls: readonly BatchedCall[],
): Promise<BatchedResult[]> {
  if (store.batch && calls.length > 1) return await store.batch(calls);
  const results: BatchedResult[] = [];
  while (results.length < calls.length) {
    const left = calls.slice(results.length);
    const end = left.findIndex(([method]) => groups[method] !== groups[left[0]?.[0] ?? method]);
    const group = end < 0 ? left : left.slice(0, end);
    results.push(...await Promise.all(group.map((call) => makeCall(store, call))));
  }
  return results;
}
