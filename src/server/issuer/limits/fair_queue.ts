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

/** Creates an empty queue. */
export function createFairQueue<T>({ maxPerSender, max }: FairQueueOptions): FairQueue<T> {
  /** The lines of the senders in the order of their turns. */
  const lines = new Map<string | undefined, Array<Turn<T>>>();
  let lastBegun: Turn<T> | undefined;

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
      const dropped = isFull ? longest.pop() : undefined;
      lines.set(sender, [...line, { sender, item }]);
      return dropped?.item;
    },
    takeNext(mayBegin) {
      const firsts = [...lines.values()]
        .flatMap(([first]) => first && mayBegin(first.sender) ? [first] : []);
      // A sender that comes back at once waits for the others.
      const next = firsts.find(({ sender }) => sender !== lastBegun?.sender) ?? firsts[0];
      if (!next) return undefined;
      const others = lines.get(next.sender)?.slice(1) ?? [];
      lines.delete(next.sender);
      if (others.length > 0) lines.set(next.sender, others);
      lastBegun = next;
      return next;
    },
  };
}
