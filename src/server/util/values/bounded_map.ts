export const megabyte: number = 1024 * 1024;

/**
 * What runtimes need for each text, member and object, in bytes: rather too much than too little.
 */
const ofText = 24;
const ofMember = 16;
const ofObject = 64;

/** A map for entries that untrusted clients cause. If it is full, it drops its oldest entries. */
export interface BoundedMap<V> {
  get(name: string): V | undefined;
  set(name: string, value: V): void;
  delete(name: string): void;
}

/** Creates a map that takes `maxBytes` of memory at most. */
export function createBoundedMap<V>(
  maxBytes: number,
  sizeOf: (name: string, value: V) => number = (name, value) => heldBytes([name, value]),
): BoundedMap<V> {
  const entries = new Map<string, { value: V; bytes: number }>();
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

/** Estimates how much memory plain data takes, in bytes. */
export function heldBytes(value: unknown): number {
  if (typeof value === "string") return ofText + 2 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (ArrayBuffer.isView(value)) return ofObject + value.byteLength;
  let sum = ofObject;
  if (Symbol.iterator in value) {
    for (const part of value as Iterable<unknown>) sum += ofMember + heldBytes(part);
    return sum;
  }
  // A list of entries would take longer than what it lists.
  for (const name of Object.keys(value)) {
    sum += 2 * ofMember + heldBytes(name) + heldBytes((value as Record<string, unknown>)[name]);
  }
  return sum;
}
