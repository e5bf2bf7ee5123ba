import type { JWK } from "jose";
import { candidateKeys, namedKeys } from "../../protocol/client_key.ts";
import { createKeySetCache } from "./key_set_cache.ts";
import { createKeySetFetcher } from "./key_set_fetcher.ts";
import {
  type CachedKeySet,
  type ExternalKeysDependencies,
  type KeySetRequest,
  type KeySource,
  refetchInterval,
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

/** Creates the cache of external keys. */
export function createExternalKeys(dependencies: ExternalKeysDependencies): ExternalKeys {
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

  return {
    async find(source, query) {
      const { jwks, jwksUri } = source;
      const { trusted } = source;
      if (jwksUri === undefined) return candidateKeys(jwks?.keys ?? [], query, trusted);
      const request = { source, url: jwksUri, sender: query.sender };
      const keySet = getKeySet(request);
      const keys = await keySet.keys;
      const isRecent = now() - keySet.times.fetchedAt < refetchInterval * 1000;
      if (namedKeys(keys, query).length > 0 || isRecent) return candidateKeys(keys, query, trusted);
      // The signer may have published a new key.
      const newer = getNewerKeySet(request, keySet);
      return candidateKeys(await newer.keys, query, trusted);
    },
  };
}
