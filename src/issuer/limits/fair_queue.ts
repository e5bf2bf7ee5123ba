/**
 * Items that wait, in one line per sender. The lines are served in rounds, one item of each line. A
 * newcomer comes before the senders who have been served in the round before.
 */
export interface FairQueue<T> {
  /**
   * Adds an item to its sender's line. Returns the item that has to leave because there is no room:
   * the last one of the longest line, or the new one itself.
   */
  add(sender: string | undefined, item: T): T | undefined;
  /**
   * Takes the first item of the line whose turn it is, among those that may be served. It is
   * expected to take some time.
   */
  take(mayServe?: (sender: string | undefined) => boolean): T | undefined;
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
  /** The round in which the line is served next. */
  round: number;
  /** Whether the item that was taken before was of the same sender. */
  wasServed: boolean;
}

/** Creates an empty queue. */
export function createFairQueue<T>({ maxPerSender, max }: FairQueueLimits): FairQueue<T> {
  /** In the order in which they came, or were served. No line is empty. */
  const lines = new Map<string | undefined, QueueLine<T>>();
  let lastServed: QueueLine<T> | undefined;
  let size = 0;

  function push(sender: string | undefined, item: T): void {
    const line = lines.get(sender);
    if (line) line.items.push(item);
    else lines.set(sender, newLine(sender, item));
    size++;
  }

  function newLine(sender: string | undefined, item: T): QueueLine<T> {
    const wasServed = lastServed !== undefined && lastServed.sender === sender;
    return { sender, items: [item], round: (lastServed?.round ?? 0) + 1, wasServed };
  }

  /** The longest line keeps an item: it is longer than the line that takes its place. */
  function dropLast({ items }: QueueLine<T>): T | undefined {
    size--;
    return items.pop();
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
    take(mayServe = () => true) {
      const [first, ...others] = [...lines.values()].filter(({ sender }) => mayServe(sender));
      if (!first) return undefined;
      const next = others.reduce((next, line) => isBefore(line, next) ? line : next, first);
      const item = next.items.shift();
      size--;
      lastServed = next;
      lines.delete(next.sender);
      if (next.items.length > 0) lines.set(next.sender, servedLine(next));
      return item;
    },
  };
}

/** Moves a line to the next round. */
function servedLine<T>(line: QueueLine<T>): QueueLine<T> {
  return { ...line, round: line.round + 1, wasServed: true };
}

/** Of two lines in the same round, the one whose sender had to wait comes first. */
function isBefore<T>(line: QueueLine<T>, other: QueueLine<T>): boolean {
  if (line.round !== other.round) return line.round < other.round;
  return other.wasServed && !line.wasServed;
}
