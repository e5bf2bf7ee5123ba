/** The fetches in progress, by item and sender. */
export type SharedFetches<T> = ReturnType<typeof createSharedFetches<T>>;

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
 * Makes a fetch in the queue of its sender, who pays first; `pay` throws if too little is left.
 * Another fetch of the item is shared if it is of the same sender, or if the sender cannot pay.
 */
export async function fetchShared<T>(
  { find, list, add, delete: remove }: SharedFetches<Promise<T>>,
  { item, sender, pay, fetch }: {
    item: string;
    sender: string | undefined;
    pay: () => void;
    fetch: () => Promise<T>;
  },
): Promise<T> {
  const own = find(item, sender);
  if (own) return await own;
  try {
    pay();
  } catch (cause) {
    return await Promise.any(list(item)).catch(() => {
      throw cause;
    });
  }
  const fetching = fetch().finally(() => remove(item, sender));
  add(item, sender, fetching);
  return await fetching;
}
