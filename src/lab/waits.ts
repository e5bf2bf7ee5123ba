/** Waits that end with the lab at the latest. */
export interface Waits {
  /** Without end, where it is told to wait infinitely long. */
  wait(milliseconds: number): Promise<void>;
  /** What comes of a promise, unless the time is over first. */
  within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined>;
  /** Calls back when waiting is over for all; gives back what forgets about it. */
  onRelease(listener: () => void): () => void;
  /** Ends every wait. */
  release(): void;
}

export function createWaits(): Waits {
  const ends = new Set<() => void>();

  function begin(milliseconds: number): { over: Promise<void>; end(): void } {
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      const timer = Number.isFinite(milliseconds)
        ? setTimeout(() => end(), milliseconds)
        : undefined;
      end = () => {
        clearTimeout(timer);
        ends.delete(end);
        resolve();
      };
      ends.add(end);
    });
    return { over, end: () => end() };
  }

  return {
    wait: (milliseconds) => begin(milliseconds).over,
    async within(milliseconds, promise) {
      const { over, end } = begin(milliseconds);
      try {
        return await Promise.race([promise, over.then(() => undefined)]);
      } finally {
        end();
      }
    },
    onRelease(listener) {
      ends.add(listener);
      return () => void ends.delete(listener);
    },
    release: () => {
      for (const end of [...ends]) end();
    },
  };
}
