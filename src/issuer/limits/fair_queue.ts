/** Items that wait, in one line per sender. The lines are served in turn. */
export interface FairQueue<T> {
  /**
   * Adds an item to its sender's line. Returns the item that has to leave because there is no room:
   * the last one of the longest line, or the new one itself.
   */
  add(sender: string | undefined, item: T): T | undefined;
  /** Takes the first item of the line whose turn it is. */
  take(): T | undefined;
}

/** How many items can wait. */
export interface FairQueueLimits {
  /** Unknown senders share one line, to which this limit does not apply. */
  maxPerSender: number;
  max: number;
}

interface QueueLine<T> {
  sender: string | undefined;
  items: T[];
}

/** Creates an empty queue. */
export function createFairQueue<T>({ maxPerSender, max }: FairQueueLimits): FairQueue<T> {
  /** In the order in which the lines are served. No line is empty. */
  const lines = new Map<string | undefined, QueueLine<T>>();
  let size = 0;

  function push(sender: string | undefined, item: T): void {
    const line = lines.get(sender);
    if (line) line.items.push(item);
    else lines.set(sender, { sender, items: [item] });
    size++;
  }

  function dropLast({ sender, items }: QueueLine<T>): T | undefined {
    const item = items.pop();
    if (items.length === 0) lines.delete(sender);
    size--;
    return item;
  }

  function longestLine(): QueueLine<T> | undefined {
    const [first, ...others] = lines.values();
    return first && others.reduce(
      (longest, line) => line.items.length > longest.items.length ? line : longest,
      first,
    );
  }

  return {
    add(sender, item) {
      const length = (lines.get(sender)?.items.length ?? 0) + 1;
      if (sender !== undefined && length > maxPerSender) return item;
      if (size < max) return void push(sender, item);
      const longest = longestLine();
      // A waiting item does not make room for a line that would be as long as its own.
      if (!longest || length >= longest.items.length) return item;
      const dropped = dropLast(longest);
      push(sender, item);
      return dropped;
    },
    take() {
      const [next] = lines.values();
      if (!next) return undefined;
      const item = next.items.shift();
      size--;
      lines.delete(next.sender);
      if (next.items.length > 0) lines.set(next.sender, next);
      return item;
    },
  };
}
