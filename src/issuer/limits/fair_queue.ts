/** What waits, in one line per sender; the lines are served in turn. */
export interface FairQueue<T> {
  /**
   * Adds an item to the line of its sender. Returns the item that has to leave because there is no
   * room: the last one of the longest line, or the new one itself.
   */
  add(sender: string | undefined, item: T): T | undefined;
  /** Takes the first item of the line whose turn it is. */
  take(): T | undefined;
}

export interface FairQueueLimits {
  /** Where the sender is not known, everyone stands in one line, and this limit does not apply. */
  maxPerSender: number;
  max: number;
}

export function createFairQueue<T>({ maxPerSender, max }: FairQueueLimits): FairQueue<T> {
  /** In the order in which the lines are served. No line is empty. */
  const lines = new Map<string | undefined, T[]>();
  let size = 0;

  function push(sender: string | undefined, item: T): void {
    const line = lines.get(sender);
    if (line) line.push(item);
    else lines.set(sender, [item]);
    size++;
  }

  function dropLast(sender: string | undefined): T {
    const line = lines.get(sender)!;
    const item = line.pop()!;
    if (line.length === 0) lines.delete(sender);
    size--;
    return item;
  }

  return {
    add(sender, item) {
      const length = (lines.get(sender)?.length ?? 0) + 1;
      if (sender !== undefined && length > maxPerSender) return item;
      if (size < max) return void push(sender, item);
      const [longest, { length: longestLength }] = longestOf(lines);
      // One that waits already does not make room for a line that would be as long.
      if (length >= longestLength) return item;
      const left = dropLast(longest);
      push(sender, item);
      return left;
    },
    take() {
      const [next] = lines;
      if (!next) return undefined;
      const [sender, line] = next;
      const item = line.shift()!;
      size--;
      lines.delete(sender);
      if (line.length > 0) lines.set(sender, line);
      return item;
    },
  };
}

function longestOf<K, T>(lines: ReadonlyMap<K, T[]>): [K, T[]] {
  return [...lines].reduce((longest, each) => each[1].length > longest[1].length ? each : longest);
}
