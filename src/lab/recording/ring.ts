/** How much a ring holds. */
export interface RingLimits {
  count: number;
  bytes: number;
}

/**
 * Creates a ring. `onForget` gets each item that has to make room for newer ones, before it goes.
 * Items that are apart have the same limits again for themselves, and displace no others.
 */
export function createRing<T extends { id: string | number }>(
  limits: RingLimits,
  onForget: (item: T) => void = () => {},
  isApart: (item: T) => boolean = () => false,
) {
  const held = new Map<T["id"], { item: T; bytes: number }>();
  // Each goes on where it was: from the start, it would pass the gaps that forgotten items leave.
  const newRoom = () => ({ count: 0, bytes: 0, oldestFirst: held.values() });
  const rooms = { shared: newRoom(), apart: newRoom() };
  const roomOf = (item: T) => isApart(item) ? rooms.apart : rooms.shared;

  function remove(item: T, bytes: number): void {
    const room = roomOf(item);
    held.delete(item.id);
    room.count--;
    room.bytes -= bytes;
  }

  function grow(added: T, bytes: number): void {
    const entry = held.get(added.id);
    if (!entry) return;
    const room = roomOf(entry.item);
    entry.bytes += bytes;
    room.bytes += bytes;
    // The newest stays, however large it is.
    while (room.count > 1 && (room.count > limits.count || room.bytes > limits.bytes)) {
      const { value: oldest = entry } = room.oldestFirst.next();
      if (roomOf(oldest.item) !== room) continue;
      onForget(oldest.item);
      remove(oldest.item, oldest.bytes);
    }
  }

  return {
    get: (id: T["id"]) => held.get(id)?.item,
    /** Everything that is not forgotten, the newest last. */
    list: () => [...held.values()].map(({ item }) => item),
    /** Adds something that takes so many bytes. */
    add(item: T, bytes: number): void {
      held.set(item.id, { item, bytes: 0 });
      roomOf(item).count++;
      grow(item, bytes);
    },
    /** Counts what an item takes in addition. */
    grow,
    /** Forgets everything that is meant; without an argument, everything. */
    clear(isMeant: (item: T) => boolean = () => true): void {
      for (const { item, bytes } of held.values()) if (isMeant(item)) remove(item, bytes);
    },
  };
}
