/** When a row expires. */
export interface Expiry {
  kind: string;
  id: string;
  expiresAt: number;
}

/** Returns expired rows, the oldest first, without visiting the others. It is a binary heap. */
export interface ExpiryQueue {
  push(expiry: Expiry): void;
  /** Removes and returns the oldest entry if it expires before the given time. */
  take(before: number): Expiry | undefined;
}

export function createExpiryQueue(): ExpiryQueue {
  const heap: Expiry[] = [];
  return {
    push: (expiry) => rise(heap, expiry),
    take(before) {
      const first = heap[0];
      if (!first || first.expiresAt >= before) return undefined;
      const last = heap.pop();
      if (last && heap.length > 0) sink(heap, last);
      return first;
    },
  };
}

/** Adds an entry at the end and moves it up to its place. */
function rise(heap: Expiry[], expiry: Expiry): void {
  let index = heap.push(expiry) - 1;
  while (index > 0) {
    const parentIndex = (index - 1) >>> 1;
    const parent = heap[parentIndex];
    if (!parent || parent.expiresAt <= expiry.expiresAt) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = expiry;
}

/** Puts an entry in the first place and moves it down to its place. */
function sink(heap: Expiry[], expiry: Expiry): void {
  let index = 0;
  while (true) {
    const childIndex = earlierChild(heap, index);
    const child = heap[childIndex];
    if (!child || child.expiresAt >= expiry.expiresAt) break;
    heap[index] = child;
    index = childIndex;
  }
  heap[index] = expiry;
}

function earlierChild(heap: readonly Expiry[], index: number): number {
  const left = 2 * index + 1;
  const right = left + 1;
  const expiryAt = (index: number) => heap[index]?.expiresAt ?? Infinity;
  return expiryAt(right) < expiryAt(left) ? right : left;
}
