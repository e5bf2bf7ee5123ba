/** Something that expires at a time that never changes. */
interface Expiring {
  readonly expiresAt: number;
}

/** Returns expired rows, the oldest first, without visiting the others. It is a binary heap. */
export interface ExpiryQueue<T extends Expiring> {
  push(row: T): void;
  /** Removes and returns the oldest row if it expires before the given time. */
  take(before: number): T | undefined;
}

export function createExpiryQueue<T extends Expiring>(): ExpiryQueue<T> {
  const heap: T[] = [];
  return {
    push: (row) => rise(heap, row),
    take(before) {
      const first = heap[0];
      if (!first || first.expiresAt >= before) return undefined;
      const last = heap.pop();
      if (last && heap.length > 0) sink(heap, last);
      return first;
    },
  };
}

/** Adds a row at the end and moves it up to its place. */
function rise<T extends Expiring>(heap: T[], row: T): void {
  let index = heap.push(row) - 1;
  while (index > 0) {
    const parentIndex = (index - 1) >>> 1;
    const parent = heap[parentIndex] as T;
    if (parent.expiresAt <= row.expiresAt) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = row;
}

/** Puts a row in the first place and moves it down to its place. */
function sink<T extends Expiring>(heap: T[], row: T): void {
  let index = 0;
  while (true) {
    const childIndex = earlierChild(heap, index);
    const child = heap[childIndex];
    if (!child || child.expiresAt >= row.expiresAt) break;
    heap[index] = child;
    index = childIndex;
  }
  heap[index] = row;
}

function earlierChild(heap: readonly Expiring[], index: number): number {
  const left = 2 * index + 1;
  const right = left + 1;
  const expiryAt = (index: number) => heap[index]?.expiresAt ?? Infinity;
  return expiryAt(right) < expiryAt(left) ? right : left;
}
