interface WaitingItem {
  sender: string | undefined;
  since: number;
}

/** Holds what waits, in a line for each sender. Unknown senders share one. */
export function createSenderLines<T extends WaitingItem>() {
  // In the order in which they came.
  const all = new Set<T>();
  // In the order of the senders' turns.
  const lines = new Map<string | undefined, Set<T>>();

  function remove(item: T): void {
    all.delete(item);
    const line = lines.get(item.sender);
    line?.delete(item);
    if (line?.size === 0) lines.delete(item.sender);
  }

  return {
    size: () => all.size,
    /** Since when a sender has waited longest; Infinity if it does not wait. */
    oldestOf(sender: string | undefined): number {
      const [oldest] = lines.get(sender) ?? [];
      return oldest?.since ?? Infinity;
    },
    /** Adds a latecomer to the line of its sender. */
    add(item: T): void {
      all.add(item);
      const line = lines.get(item.sender);
      if (line) line.add(item);
      else lines.set(item.sender, new Set([item]));
    },
    /** Takes the first in the line of the sender whose turn it is. */
    takeNext(): T | undefined {
      const [line] = lines.values();
      const [next] = line ?? [];
      if (!line || !next) return undefined;
      // To the end: the other senders come first.
      lines.delete(next.sender);
      lines.set(next.sender, line);
      remove(next);
      return next;
    },
    /** Takes all that have waited since a time, or longer. */
    takeOld(since: number): T[] {
      const old: T[] = [];
      for (const item of all) {
        if (item.since > since) break;
        old.push(item);
      }
      old.forEach(remove);
      return old;
    },
  };
}
