import { heldBytes } from "./held_bytes.ts";

/** A map for entries that untrusted clients cause. If it is full, it drops its oldest entries. */
export interface BoundedMap<V> {
  get(name: string): V | undefined;
  set(name: string, value: V): void;
  delete(name: string): void;
}

interface BoundedEntry<V> {
  value: V;
  bytes: number;
}

/** Creates a map that takes `maxBytes` of memory at most. */
export function createBoundedMap<V>(
  maxBytes: number,
  sizeOf: (name: string, value: V) => number = (name, value) => heldBytes([name, value]),
): BoundedMap<V> {
  const entries = new Map<string, BoundedEntry<V>>();
  // Goes on where it was: from the start, it would pass the gaps that dropped entries leave.
  const oldestFirst = entries.keys();
  let held = 0;

  function drop(name: string): void {
    held -= entries.get(name)?.bytes ?? 0;
    entries.delete(name);
  }

  return {
    get: (name) => entries.get(name)?.value,
    set(name, value) {
      // Deleting first moves the entry to the end of the map's order.
      drop(name);
      const bytes = sizeOf(name, value);
      entries.set(name, { value, bytes });
      held += bytes;
      while (held > maxBytes) drop(oldestFirst.next().value ?? name);
    },
    delete: drop,
  };
}
