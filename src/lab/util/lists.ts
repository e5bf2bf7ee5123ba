/** Groups items by a key. Those without a key are left out. */
export function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): Array<[first: T, ...later: T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** An entry of a list that several parts of a lab add to. */
export interface PlacedEntry {
  name: string;
  /**
   * The name of the entry that it precedes.
   *
   * @default none: it is the last one
   */
  before?: string;
}

/** Returns a list with more entries, each at its place. */
export function placeEntries<Entry extends PlacedEntry>(
  list: readonly Entry[],
  added: readonly Entry[],
): Entry[] {
  return added.reduce((placed, entry) => {
    const at = placed.findIndex(({ name }) => name === entry.before);
    return at < 0 ? [...placed, entry] : [...placed.slice(0, at), entry, ...placed.slice(at)];
  }, [...list]);
}
