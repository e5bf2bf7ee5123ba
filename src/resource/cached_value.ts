import { hour, minute } from "../server/util/time/duration.ts";

/** How long a value is used without fetching it again, in milliseconds. */
const freshTime = 10 * minute * 1000;

/** How long a value is used while it cannot be fetched, in milliseconds. */
const staleTime = 1 * hour * 1000;

/**
 * How long to wait between two fetches, in milliseconds. Otherwise any request could cause a fetch.
 */
const retryPause = 30 * 1000;

/**
 * How long a failure is remembered if there is no value, in milliseconds. A server that is being
 * started is found soon after, and one that is down is not asked by every request.
 */
const failurePause = 5 * 1000;

/** A fetched value that all requests share. */
export interface CachedValue<T> {
  get(): Promise<T>;
  /** Fetches the value again, unless that was done a moment ago. */
  renew(): Promise<T>;
}

export function createCachedValue<T>(now: () => number, load: () => Promise<T>): CachedValue<T> {
  let cached: { value: T; loadedAt: number } | undefined;
  let failed: { cause: unknown; at: number } | undefined;
  let triedAt = -Infinity;
  let loading: Promise<T> | undefined;

  const age = () => now() - (cached?.loadedAt ?? -Infinity);

  async function fetchNow(): Promise<T> {
    triedAt = now();
    try {
      const value = await load();
      cached = { value, loadedAt: now() };
      failed = undefined;
      return value;
    } catch (cause) {
      if (cached && age() < staleTime) return cached.value;
      failed = { cause, at: now() };
      throw cause;
    } finally {
      loading = undefined;
    }
  }

  async function renew(): Promise<T> {
    if (loading) return await loading;
    if (cached && now() - triedAt < retryPause && age() < staleTime) return cached.value;
    if (failed && Math.abs(now() - failed.at) < failurePause) throw failed.cause;
    loading = fetchNow();
    return await loading;
  }

  return { renew, get: async () => cached && age() < freshTime ? cached.value : await renew() };
}
