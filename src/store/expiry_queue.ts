/** When a row comes to its end. */
export interface Expiry {
  kind: string;
  id: string;
  expiresAt: number;
}

/** Hands out what has expired, the oldest first, without looking at what has not: a binary heap. */
export interface ExpiryQueue {
  push(expiry: Expiry): void;
  /** Takes out the oldest, if it lies before the given time. */
  take(before: number): Expiry | undefined;
}

export function createExpiryQueue(): ExpiryQueue {
  const heap: Expiry[] = [];
  return {
    push: (expiry) => {
      heap.push(expiry);
      rise(heap, heap.length - 1);
    },
    take: (before) => heap.length > 0 && heap[0].expiresAt < before ? takeFirst(heap) : undefined,
  };
}

function takeFirst(heap: Expiry[]): Expiry {
  const first = heap[0];
  const last = heap.pop()!;
  if (heap.length > 0) {
    heap[0] = last;
    sink(heap, 0);
  }
  return first;
}

function rise(heap: Expiry[], at: number): void {
  while (at > 0) {
    const parent = (at - 1) >>> 1;
    if (heap[parent].expiresAt <= heap[at].expiresAt) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function sink(heap: Expiry[], at: number): void {
  while (true) {
    const left = 2 * at + 1;
    const right = left + 1;
    let least = at;
    if (left < heap.length && heap[left].expiresAt < heap[least].expiresAt) least = left;
    if (right < heap.length && heap[right].expiresAt < heap[least].expiresAt) least = right;
    if (least === at) return;
    swap(heap, at, least);
    at = least;
  }
}

function swap(heap: Expiry[], a: number, b: number): void {
  [heap[a], heap[b]] = [heap[b], heap[a]];
}
