/** When a cached value is read again. */
interface RereadOptions {
  /** The current time, in milliseconds. */
  now: () => number;
  /** How long a change may go unnoticed, in milliseconds. */
  interval: number;
}

/** Caches what a function reads, until it is older than a limit. A failure is not cached. */
export function createCachedRead<T extends object>(
  read: () => Promise<T>,
  { now, interval }: RereadOptions,
) {
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

  function known(): T | undefined {
    // The clock may have been set back.
    return latest && Math.abs(now() - latest.readAt) < interval ? latest.value : undefined;
  }

  return {
    /** Returns the value as it was within the limit, if it was read since. */
    known,
    /** Returns the value as it was within the limit. Waits only if it has to be read. */
    current: (): T | Promise<T> => known() ?? readOnce(),
    /** Reads the value as it is now. Callers at the same time share a reading. */
    async reread(): Promise<T> {
      // A reading in progress may have started too early.
      await reading?.catch(() => {});
      return await readOnce();
    },
  };
}
