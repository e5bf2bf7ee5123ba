/**
 * Creates a map of the fetches in progress, by item and sender. Requests of one sender share a
 * fetch. The caller decides whether a request may share one of another sender: if it would be
 * refused otherwise.
 */
export function createSharedFetches<T>() {
  const items = new Map<string, Map<string | undefined, T>>();
  return {
    /** Returns the fetch of an item that waits in the queue of a sender. */
    find: (item: string, sender: string | undefined) => items.get(item)?.get(sender),
    /** Returns the fetches of an item for any sender, the oldest first. */
    list: (item: string) => [...items.get(item)?.values() ?? []],
    add(item: string, sender: string | undefined, fetch: T): void {
      const fetches = items.get(item) ?? new Map<string | undefined, T>();
      items.set(item, fetches.set(sender, fetch));
    },
    /** Removes a fetch that has ended. */
    delete(item: string, sender: string | undefined): void {
      const fetches = items.get(item);
      fetches?.delete(sender);
      if (fetches?.size === 0) items.delete(item);
    },
  };
}

/**
 * Makes a fetch in the queue of its sender, who pays first, or shares one that is in progress: that
 * of the same sender, or any if `pay` throws because too little is left.
 */
export async function fetchShared<T>(
  fetches: ReturnType<typeof createSharedFetches<Promise<T>>>,
  [item, sender]: readonly [item: string, sender: string | undefined],
  pay: () => void,
  fetch: () => Promise<T>,
): Promise<T> {
  const own = fetches.find(item, sender);
  if (own) return await own;
  try {
    pay();
  } catch (cause) {
    return await Promise.any(fetches.list(item)).catch(() => Promise.reject(cause));
  }
  const fetching = fetch().finally(() => fetches.delete(item, sender));
  fetches.add(item, sender, fetching);
  return await fetching;
}
