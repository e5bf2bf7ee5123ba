import type { JWK } from "jose";
import { cacheLifetime, type CacheLimits } from "../../http/cache_lifetime.ts";
import { OutboundError } from "../../http/outbound_fetch.ts";
import type { Client } from "../../model/client.ts";
import { candidateKeys, namedKeys } from "../../protocol/client_key.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { type BoundedMap, createBoundedMap } from "../../util/bounded_map.ts";
import { day, hour, minute } from "../../util/duration.ts";
import { isObject } from "../../util/json.ts";
import { isTooMany } from "../limits/budget.ts";
import type { FetchBudgets } from "../limits/fetch_budgets.ts";
import { fetchJson, type OutboundDependencies } from "../outbound_requests.ts";
import { fromNow } from "../time.ts";

/** Where the public keys of a client or a trusted issuer are. */
export type KeySource = Pick<Client, "id" | "jwks" | "jwksUri" | "trusted" | "registration">;

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

interface ExternalKeysDependencies extends OutboundDependencies {
  now: () => number;
  fetchBudgets: FetchBudgets;
}

/** A key set to fetch, and who pays for it. */
interface KeySetRequest {
  source: KeySource;
  url: string;
  sender: string | undefined;
}

/** A key set in the cache. */
interface CachedKeySet {
  url: string;
  /** Pending during the fetch, so that concurrent requests of a sender wait for one response. */
  keys: Promise<JWK[]>;
  times: KeySetTimes;
}

/** The fetches of a key set that are in progress: each sender has a queue of its own. */
type FetchesBySender = Map<string | undefined, CachedKeySet>;

/** How current a key set is. Times are in milliseconds. */
interface KeySetTimes {
  fetchedAt: number;
  freshUntil: number;
  /** Until when the keys stay in use while their site cannot be reached. */
  usableUntil: number;
  /** Whether the keys came from their site, rather than from the key set before. */
  isFetched: boolean;
}

/** How long a key set is fresh, in seconds. */
const freshness: CacheLimits = { min: 1 * minute, max: 1 * day, byDefault: 5 * minute };

/** The shortest time between two fetches of a key set, even if signatures name unknown keys. */
const refetchInterval = 1 * minute;

/** How old a key set may be that is used because our own budgets forbid fetching a newer one. */
const maxStaleAge = 1 * day;

/**
 * How long a stale key set of the operator's clients and issuers is used while the network fails,
 * in seconds. An attacker must not gain from an outage, so nobody else has that time.
 */
const graceOfOutage = 1 * hour;

const maxKeySetsPerCache = 1000;

/** Creates the cache of external keys. */
export function createExternalKeys(dependencies: ExternalKeysDependencies): ExternalKeys {
  const { now, fetchBudgets } = dependencies;
  // Two caches, so that untrusted clients cannot evict the keys of trusted ones.
  const trustedCache = createBoundedMap<CachedKeySet>(maxKeySetsPerCache);
  const untrustedCache = createBoundedMap<CachedKeySet>(maxKeySetsPerCache);
  const inProgress = new Map<string, FetchesBySender>();

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
   * Fetches a key set at the expense of the sender. If the budget is used up, a previous key set is
   * used for a while, or what others fetch already.
   */
  function fetchWithinBudget(request: KeySetRequest, previous?: CachedKeySet): CachedKeySet {
    const { source, url, sender } = request;
    const fetches = inProgress.get(placeOf(request));
    const pending = fetches?.get(queueOf(request));
    if (pending) return pending;
    try {
      if (!source.trusted) fetchBudgets.lookup(sender).charge(url);
    } catch (cause) {
      const isUsable = previous !== undefined && ageOf(previous) < maxStaleAge * 1000;
      if (isUsable && isTooMany(cause)) return previous;
      const ofOther = [...fetches?.values() ?? []].at(-1);
      if (ofOther) return ofOther;
      throw cause;
    }
    const keySet = startFetch(dependencies, request, previous);
    keepWhenFetched(request, keySet);
    return keySet;
  }

  /** Until then, others use what is cached. A failure does not replace what they fetch meanwhile. */
  function keepWhenFetched(request: KeySetRequest, keySet: CachedKeySet): void {
    const { source } = request;
    const cache = cacheFor(source);
    const before = cache.get(source.id);
    const [place, queue] = [placeOf(request), queueOf(request)];
    const fetches: FetchesBySender = inProgress.get(place) ?? new Map();
    const keep = () => {
      fetches.delete(queue);
      if (fetches.size === 0) inProgress.delete(place);
      if (keySet.times.isFetched || cache.get(source.id) === before) cache.set(source.id, keySet);
    };
    inProgress.set(place, fetches.set(queue, keySet));
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

/** Returns the sender in whose queue a fetch waits. One to a configured URL waits in none. */
function queueOf({ source, sender }: KeySetRequest): string | undefined {
  return hasOperatorUrls(source) ? undefined : sender;
}

/** Starts to fetch a key set. If that fails, the previous one may remain in use. */
function startFetch(
  dependencies: ExternalKeysDependencies,
  request: KeySetRequest,
  previous: CachedKeySet | undefined,
): CachedKeySet {
  const { now } = dependencies;
  // Until the response arrives. A failure is remembered for as long.
  const freshUntil = fromNow(dependencies, refetchInterval);
  const times = { fetchedAt: now(), freshUntil, usableUntil: freshUntil, isFetched: false };
  const keys = fetchKeys(dependencies, request, times).catch((cause) => {
    // The queue was full of other requests: that says nothing about these keys.
    if (isTooMany(cause)) times.freshUntil = now();
    if (!previous || !maySurvive(previous.times, cause, now())) throw cause;
    times.usableUntil = previous.times.usableUntil;
    times.freshUntil = Math.max(
      previous.times.freshUntil,
      Math.min(times.freshUntil, times.usableUntil),
    );
    return previous.keys;
  });
  return { url: request.url, keys, times };
}

/**
 * Whether keys stay in use although fetching them again failed. A signature with an unknown `kid`
 * must not cost the signer the keys that are still fresh. A site that responds has decided.
 */
function maySurvive(times: KeySetTimes, cause: unknown, now: number): boolean {
  const isUnreached = cause instanceof OutboundError && !cause.isAnswered;
  return times.freshUntil > now || (isUnreached && times.usableUntil > now);
}

/** Fetches keys, and sets how long they are fresh. */
async function fetchKeys(
  dependencies: ExternalKeysDependencies,
  { source, url, sender }: KeySetRequest,
  times: KeySetTimes,
): Promise<JWK[]> {
  const trusted = hasOperatorUrls(source);
  const target = { purpose: "keys", url, trusted, sender };
  const { document, headers } = await fetchJson(dependencies, target);
  times.freshUntil = fromNow(dependencies, cacheLifetime(headers, freshness));
  times.usableUntil = times.freshUntil + (trusted ? graceOfOutage * 1000 : 0);
  times.isFetched = true;
  return readKeySet(document);
}

/** Returns the objects in `keys`, and ignores everything else in the document. */
function readKeySet(document: unknown): JWK[] {
  const keys = isObject(document) ? document.keys : undefined;
  return Array.isArray(keys) ? keys.filter((key): key is JWK => isObject(key)) : [];
}
