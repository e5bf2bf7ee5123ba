/** A map for entries that untrusted clients cause. If it is full, it drops its oldest entry. */
export interface BoundedMap<V> {
  get(name: string): V | undefined;
  set(name: string, value: V): void;
  delete(name: string): void;
}

export function createBoundedMap<V>(maxSize: number): BoundedMap<V> {
  const entries = new Map<string, V>();
  // Goes on where it was: from the start, it would pass the gaps that dropped entries leave.
  const oldestFirst = entries.keys();
  return {
    get: (name) => entries.get(name),
    set(name, value) {
      // Deleting first moves the entry to the end of the map's order.
      entries.delete(name);
      entries.set(name, value);
      if (entries.size <= maxSize) return;
      const { value: oldest } = oldestFirst.next();
      if (oldest !== undefined) entries.delete(oldest);
    },
    delete: (name) => void entries.delete(name),
  };
}
