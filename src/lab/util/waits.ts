import { createDeferred } from "../../server/util/time/promises.ts";

/** A timer for longer than this, in milliseconds, would end at once. */
const longestTimer = 2 ** 31 - 1;

/** Waits that end at the latest when the lab is released. */
export type Waits = ReturnType<typeof createWaits>;

export function createWaits() {
  const releaseListeners = new Set<() => void>();
  let isClosed = false;

  function begin(milliseconds: number) {
    const { promise: over, resolve } = createDeferred<void>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    if (Number.isFinite(milliseconds)) sleep(milliseconds);
    releaseListeners.add(end);
    if (isClosed) end();
    return { over, end };

    function sleep(left: number): void {
      const rest = left - longestTimer;
      timer = rest > 0 ? setTimeout(() => sleep(rest), longestTimer) : setTimeout(end, left);
    }

    function end(): void {
      clearTimeout(timer);
      releaseListeners.delete(end);
      resolve();
    }
  }

  function release(): void {
    for (const listener of [...releaseListeners]) listener();
  }

  return {
    /** Returns the real time, in milliseconds since the start: no change of the clock moves it. */
    now: () => performance.now(),
    /** Waits in real time; `Infinity` waits until the release. */
    wait: (milliseconds: number) => begin(milliseconds).over,
    /** Returns the result of a promise, or undefined if it takes longer. */
    async within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
      const { over, end } = begin(milliseconds);
      try {
        return await Promise.race([promise, over.then(() => undefined)]);
      } finally {
        end();
      }
    },
    /** Registers a callback for the release; returns a function that unregisters it. */
    onRelease(listener: () => void): () => void {
      releaseListeners.add(listener);
      return () => void releaseListeners.delete(listener);
    },
    /** Ends every wait. */
    release,
    /** Ends every wait, and those that begin later. */
    close(): void {
      isClosed = true;
      release();
    },
    isClosed: () => isClosed,
  };
}
