/**
 * The fetches in progress, by item and sender. A request shares the fetch of its own sender, and
 * that of another one only if it would be refused otherwise, which the caller decides.
 */
export interface SharedFetches<T> {
  /** Returns the fetch of an item that waits in the queue of a sender. */
  find(item: string, sender: string | undefined): T | undefined;
  /** Returns the fetches of an item for any sender, the oldest first. */
  list(item: string): T[];
  add(item: string, sender: string | undefined, fetch: T): void;
  /** Removes a fetch that has ended. */
  delete(item: string, sender: string | undefined): void;
}

export function createSharedFetches<T>(): SharedFetches<T> {
  const items = new Map<string, Map<string | undefined, T>>();
  return {
    find: (item, sender) => items.get(item)?.get(sender),
    list: (item) => [...items.get(item)?.values() ?? []],
    add(item, sender, fetch) {
      const fetches = items.get(item) ?? new Map<string | undefined, T>();
      items.set(item, fetches.set(sender, fetch));
    },
    delete(item, sender) {
      const fetches = items.get(item);
      fetches?.delete(sender);
      if (fetches?.size === 0) items.delete(item);
    },
  };
}
