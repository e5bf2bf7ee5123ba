import type { JWK } from "jose";
import { candidateKeys, namedKeys } from "../../protocol/client_key.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { day } from "../../util/time/duration.ts";
import { type BoundedMap, createBoundedMap } from "../../util/values/bounded_map.ts";
import { isTooMany } from "../limits/budget.ts";
import { createSharedFetches } from "../limits/shared_fetches.ts";
import {
  type CachedKeySet,
  type ExternalKeysDependencies,
  type KeySetRequest,
  type KeySource,
  refetchInterval,
  startFetch,
} from "./key_sets.ts";

/** The header parameters that select the key of a signature (RFC 7515, section 4.1). */
export interface KeyQuery {
  alg: string;
  kid?: string | undefined;
  /** The network that sends the signature. It pays for fetching an untrusted client's keys. */
  sender?: string | undefined;
}

/** The public keys of clients and trusted issuers. */
export interface ExternalKeys {
  /**
   * Finds the keys that may have made a signature. Throws an OutboundError if they cannot be
   * fetched.
   */
  find(source: KeySource, query: KeyQuery): Promise<JWK[]>;
}

/**
 * How old a key set may be that is used because our own budgets forbid fetching a newer one, in
 * milliseconds.
 */
const maxStaleAge = 1 * day * 1000;

const maxKeySetsPerCache = 1000;

/** Creates the cache of external keys. */
export function createExternalKeys(dependencies: ExternalKeysDependencies): ExternalKeys {
  const { now, fetchBudgets } = dependencies;
  // Two caches, so that untrusted clients cannot evict the keys of trusted ones.
  const trustedCache = createBoundedMap<CachedKeySet>(maxKeySetsPerCache);
  const untrustedCache = createBoundedMap<CachedKeySet>(maxKeySetsPerCache);
  const fetches = createSharedFetches<CachedKeySet>();

  async function find(source: KeySource, query: KeyQuery): Promise<JWK[]> {
    const { jwks, jwksUri } = source;
    if (jwksUri === undefined) return candidateKeys(jwks?.keys ?? [], query);
    const request = { source, url: jwksUri, sender: query.sender };
    const keySet = getKeySet(request);
    const keys = await keySet.keys;
    const isRecent = ageOf(keySet) < refetchInterval * 1000;
    if (namedKeys(keys, query).length > 0 || isRecent) return candidateKeys(keys, query);
    // The signer may have published a new key.
    const newer = getNewerKeySet(request, keySet);
    return candidateKeys(await newer.keys, query);
  }

  /** Returns the cached key set if it is fresh, and fetches it otherwise. */
  function getKeySet(request: KeySetRequest): CachedKeySet {
    const { source, url } = request;
    const cached = cacheFor(source).get(source.id);
    const previous = cached?.url === url ? cached : undefined;
    if (previous && isFresh(previous)) return previous;
    return fetchWithinBudget(request, previous);
  }

  /** Fetches a key set again, unless a concurrent request has already done so. */
  function getNewerKeySet(request: KeySetRequest, previous: CachedKeySet): CachedKeySet {
    const { source } = request;
    const isLatest = cacheFor(source).get(source.id) === previous;
    return isLatest ? fetchWithinBudget(request, previous) : getKeySet(request);
  }

  /**
   * Fetches a key set at the expense of the sender. If the budget is used up, returns a recent
   * previous key set, or one that another sender is already fetching.
   */
  function fetchWithinBudget(request: KeySetRequest, previous?: CachedKeySet): CachedKeySet {
    const { source, url, sender } = request;
    const pending = fetches.find(placeOf(request), queueOf(request));
    if (pending) return pending;
    try {
      if (!source.trusted) fetchBudgets.lookup(sender).charge(url);
    } catch (cause) {
      const isUsable = previous !== undefined && ageOf(previous) < maxStaleAge;
      if (isUsable && isTooMany(cause)) return previous;
      const ofOther = fetches.list(placeOf(request)).at(-1);
      if (ofOther) return ofOther;
      throw cause;
    }
    const keySet = startFetch(dependencies, request, previous);
    keepWhenFetched(request, keySet);
    return keySet;
  }

  /** Caches a key set once it is fetched. A failure replaces only what was cached at the start. */
  function keepWhenFetched(request: KeySetRequest, keySet: CachedKeySet): void {
    const { source } = request;
    const cache = cacheFor(source);
    const before = cache.get(source.id);
    const [place, queue] = [placeOf(request), queueOf(request)];
    const keep = () => {
      fetches.delete(place, queue);
      if (keySet.times.isFetched || cache.get(source.id) === before) cache.set(source.id, keySet);
    };
    fetches.add(place, queue, keySet);
    keySet.keys.then(keep, keep);
  }

  function cacheFor({ trusted }: KeySource): BoundedMap<CachedKeySet> {
    return trusted ? trustedCache : untrustedCache;
  }

  function isFresh({ times }: CachedKeySet): boolean {
    return times.freshUntil > now();
  }

  function ageOf({ times }: CachedKeySet): number {
    return now() - times.fetchedAt;
  }

  return { find };
}

/** Identifies the keys that a request fetches. */
function placeOf({ source, url }: KeySetRequest): string {
  return JSON.stringify([source.trusted, source.id, url]);
}

/** Returns the sender in whose queue a fetch waits. Fetches of configured URLs wait in none. */
function queueOf({ source, sender }: KeySetRequest): string | undefined {
  return hasOperatorUrls(source) ? undefined : sender;
}
