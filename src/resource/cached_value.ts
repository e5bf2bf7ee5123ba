/** Something from outside that is fetched when it is needed, by one request for all, and then kept. */
export interface CachedValue<T> {
  get(): Promise<T>;
  /** Fetches it anew, unless that was done a moment ago. */
  renew(): Promise<T>;
}

const second = 1000;
const fresh = 600 * second;
/** For so long it serves while it cannot be fetched. */
const usable = 3600 * second;
/** Between two fetches; else anybody could make the API fetch with each request. */
const pause = 30 * second;

export function createCachedValue<T>(now: () => number, load: () => Promise<T>): CachedValue<T> {
  let kept: { value: T; since: number } | undefined;
  let tried = -Infinity;
  let loading: Promise<T> | undefined;

  const age = () => kept ? now() - kept.since : Infinity;

  async function fetchNow(): Promise<T> {
    tried = now();
    try {
      const value = await load();
      kept = { value, since: now() };
      return value;
    } catch (cause) {
      if (kept && age() < usable) return kept.value;
      throw cause;
    } finally {
      loading = undefined;
    }
  }

  async function renew(): Promise<T> {
    if (loading) return await loading;
    if (kept && now() - tried < pause && age() < usable) return kept.value;
    loading = fetchNow();
    return await loading;
  }

  return { renew, get: async () => kept && age() < fresh ? kept.value : await renew() };
}
