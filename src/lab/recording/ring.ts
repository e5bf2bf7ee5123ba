/** What came last, in a limited number and a limited amount of memory: the oldest is forgotten. */
export interface Ring<T extends { id: string | number }> {
  get(id: T["id"]): T | undefined;
  /** Everything that is not forgotten, the newest last. */
  list(): T[];
  /** Adds something that takes so many bytes. */
  add(item: T, bytes: number): void;
  /** Counts what an item takes in addition. */
  grow(item: T, bytes: number): void;
  /** Forgets everything that is meant; without an argument, everything. */
  clear(isMeant?: (item: T) => boolean): void;
}

/** How much a ring holds. */
export interface RingLimits {
  count: number;
  bytes: number;
}

/** Creates a ring. `onForget` gets each item that has to make room for newer ones, before it goes. */
export function createRing<T extends { id: string | number }>(
  limits: RingLimits,
  onForget: (item: T) => void = () => {},
): Ring<T> {
  const held = new Map<T["id"], { item: T; bytes: number }>();
  let total = 0;
  // Goes on where it was: from the start, it would pass the gaps that forgotten items leave.
  const oldestFirst = held.values();

  function grow({ id }: T, bytes: number): void {
    const entry = held.get(id);
    if (!entry) return;
    entry.bytes += bytes;
    total += bytes;
    // The newest stays, however large it is.
    while (held.size > 1 && (held.size > limits.count || total > limits.bytes)) {
      const { value: oldest = entry } = oldestFirst.next();
      onForget(oldest.item);
      held.delete(oldest.item.id);
      total -= oldest.bytes;
    }
  }

  return {
    get: (id) => held.get(id)?.item,
    list: () => [...held.values()].map(({ item }) => item),
    add(item, bytes) {
      held.set(item.id, { item, bytes: 0 });
      grow(item, bytes);
    },
    grow,
    clear(isMeant = () => true) {
      for (const [id, { item, bytes }] of held) {
        if (!isMeant(item)) continue;
        held.delete(id);
        total -= bytes;
      }
    },
  };
}
