/** A map for what strangers make us remember: once it is full, the entry that was set longest ago makes room. */
export interface BoundedMap<V> {
  get(name: string): V | undefined;
  set(name: string, value: V): void;
  delete(name: string): void;
}

export function createBoundedMap<V>(most: number): BoundedMap<V> {
  const entries = new Map<string, V>();
  return {
    get: (name) => entries.get(name),
    set(name, value) {
      // Deleted first, so that it comes last in the order of the map.
      entries.delete(name);
      entries.set(name, value);
      if (entries.size > most) entries.delete(entries.keys().next().value!);
    },
    delete: (name) => void entries.delete(name),
  };
}
