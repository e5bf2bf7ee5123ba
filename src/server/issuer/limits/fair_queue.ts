/** What waits for its turn, in a line for each sender. The senders take turns. */
export interface FairQueue<T> {
  /** Adds an item to its sender's line. Returns the one that has to leave if there is no room. */
  add(sender: string | undefined, item: T): T | undefined;
  /** Takes the next item of the senders that may begin. */
  takeNext(mayBegin: (sender: string | undefined) => boolean): Turn<T> | undefined;
}

/** An item whose turn has come. */
export interface Turn<T> {
  sender: string | undefined;
  item: T;
}

/** How many items can wait. */
export interface FairQueueOptions {
  /** For one sender. Unknown senders share one line, without this limit. */
  maxPerSender: number;
  /** Altogether. */
  max: number;
}

interface WaitingTurn<T> extends Turn<T> {
  /** Senders take turns, one item a round. Newcomers are half a round before the others. */
  round: number;
}

/** Creates an empty queue. */
export function createFairQueue<T>({ maxPerSender, max }: FairQueueOptions): FairQueue<T> {
  const lines = new Map<string | undefined, Array<WaitingTurn<T>>>();
  let lastBegun: WaitingTurn<T> | undefined;

  function roundOf(sender: string | undefined): number {
    const previous = lines.get(sender)?.at(-1) ?? lastBegun;
    if (!previous) return 1;
    return Math.floor(previous.round) + (previous.sender === sender ? 1.5 : 1);
  }

  return {
    add(sender, item) {
      const all = [...lines.values()];
      const line = lines.get(sender) ?? [];
      const length = line.length + 1;
      if (sender !== undefined && length > maxPerSender) return item;
      const isFull = all.flat().length >= max;
      const longest = all.reduce((one, other) => other.length > one.length ? other : one, line);
      // A waiting item does not make room for a line that would be as long as its own.
      if (isFull && length >= longest.length) return item;
      const round = roundOf(sender);
      const dropped = isFull ? longest.pop() : undefined;
      lines.set(sender, [...line, { sender, item, round }]);
      return dropped?.item;
    },
    takeNext(mayBegin) {
      const [next] = [...lines.values()]
        .flatMap(([first]) => first && mayBegin(first.sender) ? [first] : [])
        .sort((one, other) => one.round - other.round);
      if (!next) return undefined;
      const others = lines.get(next.sender)?.slice(1) ?? [];
      lines.delete(next.sender);
      if (others.length > 0) lines.set(next.sender, others);
      lastBegun = next;
      return next;
    },
  };
}
