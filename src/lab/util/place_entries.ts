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
