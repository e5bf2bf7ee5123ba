import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { day } from "../../util/time/duration.ts";
import { heldBytes, megabyte } from "../../util/values/bounded_map.ts";
import { isTooMany } from "../limits/budget.ts";
import { type CacheCost, createFairCache } from "../limits/fair_cache.ts";
import { createSharedFetches } from "../limits/shared_fetches.ts";
import {
  type CachedKeySet,
  type ExternalKeysDependencies,
  type KeySetRequest,
  type KeySource,
  startFetch,
} from "./key_sets.ts";

/**
 * Fetches a key set at the expense of the sender, and caches it. If the budget is used up, returns
 * a recent previous key set, or one that another sender is already fetching.
 */
type FetchKeySet = (request: KeySetRequest, previous?: CachedKeySet) => CachedKeySet;

/** The key sets that were fetched last, by the client or issuer that they belong to. */
export interface KeySetCache {
  get(source: KeySource): CachedKeySet | undefined;
  set(source: KeySource, keySet: CachedKeySet, cost: CacheCost): void;
}

/**
 * How old a key set may be that is used because our own budgets forbid fetching a newer one, in
 * milliseconds.
 */
const maxStaleAge = 1 * day * 1000;

/** What an error takes, with its stack and its cause, in bytes. */
const failureBytes = 8 * 1024;

const maxTrustedBytes = 64 * megabyte;
const maxUntrustedBytes = 16 * megabyte;

/** Creates a fetcher of key sets. Concurrent requests of a sender share its fetches. */
export function createKeySetFetcher(
  dependencies: ExternalKeysDependencies,
  cache: KeySetCache,
): FetchKeySet {
  const { now, limits } = dependencies;
  const fetches = createSharedFetches<CachedKeySet>();

  /** Caches a key set once it is fetched. A failure replaces only what was cached at the start. */
  function keepWhenFetched(request: KeySetRequest, keySet: CachedKeySet): void {
    const { source, sender } = request;
    const before = cache.get(source);
    const [place, queue] = [placeOf(request), queueOf(request)];
    const keep = (bytes: number) => {
      fetches.delete(place, queue);
      if (!keySet.times.isFetched && cache.get(source) !== before) return;
      cache.set(source, keySet, { bytes, sender });
    };
    fetches.add(place, queue, keySet);
    keySet.keys.then((keys) => keep(heldBytes([keySet.url, keys])), () => keep(failureBytes));
  }

  return (request, previous) => {
    const { source, url, sender } = request;
    const pending = fetches.find(placeOf(request), queueOf(request));
    if (pending) return pending;
    try {
      if (!source.trusted) limits.fetches.lookup(sender).charge(url);
    } catch (cause) {
      const isUsable = previous && now() - previous.times.fetchedAt < maxStaleAge;
      if (isUsable && isTooMany(cause)) return previous;
      const ofOther = fetches.list(placeOf(request)).at(-1);
      if (ofOther) return ofOther;
      throw cause;
    }
    const keySet = startFetch(dependencies, request, previous);
    keepWhenFetched(request, keySet);
    return keySet;
  };
}

/** Creates an empty cache. Untrusted clients cannot evict the keys of trusted ones. */
export function createKeySetCache(): KeySetCache {
  const trusted = createFairCache<CachedKeySet>(maxTrustedBytes);
  const untrusted = createFairCache<CachedKeySet>(maxUntrustedBytes);
  const cacheOf = (source: KeySource) => source.trusted ? trusted : untrusted;
  return {
    get: (source) => cacheOf(source).get(source.id),
    set: (source, keySet, cost) => cacheOf(source).set(source.id, keySet, cost),
  };
}

/** Identifies the keys that a request fetches. */
function placeOf({ source, url }: KeySetRequest): string {
  return JSON.stringify([source.trusted, source.id, url]);
}

/** Returns the sender in whose queue a fetch waits. Fetches of configured URLs wait in none. */
function queueOf({ source, sender }: KeySetRequest): string | undefined {
  return hasOperatorUrls(source) ? undefined : sender;
}
