import type { JWK } from "jose";
import { candidateKeys, isNamedKey } from "../../protocol/client_key.ts";
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
export type ExternalKeys = ReturnType<typeof createExternalKeys>;

export function createExternalKeys(dependencies: ExternalKeysDependencies) {
  const { now } = dependencies;
  const cache = createKeySetCache();
  const fetchKeySet = createKeySetFetcher(dependencies, cache);

  /** Returns the cached key set if it is fresh, and fetches it otherwise. */
  function getKeySet(request: KeySetRequest): CachedKeySet {
    const cached = cache.get(request.source);
    const previous = cached?.url === request.url ? cached : undefined;
    if (previous && previous.times.freshUntil > now()) return previous;
    return fetchKeySet(request, previous);
  }

  /** Fetches a key set again, unless a concurrent request has already done so. */
  function getNewerKeySet(request: KeySetRequest, previous: CachedKeySet): CachedKeySet {
    const isLatest = cache.get(request.source) === previous;
    return isLatest ? fetchKeySet(request, previous) : getKeySet(request);
  }

  /** Returns the keys of a source, fetched again unless one of them is the key that is needed. */
  async function keysOf(
    source: KeySource,
    sender: string | undefined,
    isNeeded: (key: JWK) => boolean,
  ): Promise<readonly JWK[]> {
    const { jwks, jwksUri } = source;
    if (jwksUri === undefined) return jwks?.keys ?? [];
    const request = { source, url: jwksUri, sender };
    const keySet = getKeySet(request);
    const keys = await keySet.keys;
    const isRecent = now() - keySet.times.fetchedAt < refetchInterval * 1000;
    // The source may have published a new key.
    return keys.some(isNeeded) || isRecent ? keys : await getNewerKeySet(request, keySet).keys;
  }

  return {
    /**
     * Finds the keys that may have made a signature. Throws an OutboundError if they cannot be
     * fetched.
     */
    async find(source: KeySource, query: KeyQuery): Promise<JWK[]> {
      const keys = await keysOf(source, query.sender, (key) => isNamedKey(key, query));
      return candidateKeys(keys, query, source.trusted);
    },
    /** Whether one of the keys has a certificate, in DER (RFC 7517, section 4.7). */
    async hasCertificate(
      source: KeySource,
      der: Uint8Array,
      sender: string | undefined,
    ): Promise<boolean> {
      const text = btoa(String.fromCharCode(...der));
      // What a client publishes may be of any type.
      const isThis = ({ x5c }: JWK) => Array.isArray(x5c) && x5c[0] === text;
      return (await keysOf(source, sender, isThis)).some(isThis);
    },
  };
}

/**
 * Fetches a key set at the expense of the sender, and caches it. If the budget is used up, returns
 * a recent previous key set, or one that another sender is already fetching.
 */
type FetchKeySet = (request: KeySetRequest, previous?: CachedKeySet) => CachedKeySet;

/** The key sets that were fetched last, by the client or issuer that they belong to. */
export type KeySetCache = ReturnType<typeof createKeySetCache>;

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
export function createKeySetCache() {
  const trusted = createFairCache<CachedKeySet>(maxTrustedBytes);
  const untrusted = createFairCache<CachedKeySet>(maxUntrustedBytes);
  const cacheOf = (source: KeySource) => source.trusted ? trusted : untrusted;
  return {
    get: (source: KeySource) => cacheOf(source).get(source.id),
    set: (source: KeySource, keySet: CachedKeySet, cost: CacheCost) =>
      cacheOf(source).set(source.id, keySet, cost),
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
