/** A value that is read again when it is older than a limit. */
export interface CachedRead<T> {
  /** Returns the value as it was within the limit. Waits only if it has to be read. */
  current(): T | Promise<T>;
  /** Reads the value as it is now. Callers at the same time share a reading. */
  reread(): Promise<T>;
}

/** When a cached value is read again. */
interface RereadOptions {
  /** The current time, in milliseconds. */
  now: () => number;
  /** How long a change may go unnoticed, in milliseconds. */
  interval: number;
}

/** Caches what a function reads. A failure is not cached. */
export function createCachedRead<T>(
  read: () => Promise<T>,
  { now, interval }: RereadOptions,
): CachedRead<T> {
  let latest: { value: T; readAt: number } | undefined;
  let reading: Promise<T> | undefined;

  async function readLatest(): Promise<T> {
    const readAt = now();
    const value = await read();
    latest = { value, readAt };
    return value;
  }

  function readOnce(): Promise<T> {
    return reading ??= readLatest().finally(() => reading = undefined);
  }

  return {
    current() {
      // The clock may have been set back.
      if (latest && Math.abs(now() - latest.readAt) < interval) return latest.value;
      return readOnce();
    },
    async reread() {
      // A reading in progress may have started too early.
      await reading?.catch(() => {});
      return await readOnce();
    },
  };
}
