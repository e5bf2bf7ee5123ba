import type { JWK } from "jose";
import { candidateKeys, isNamedKey } from "../../protocol/client_key.ts";
import { createKeySetCache, createKeySetFetcher } from "./key_set_fetcher.ts";
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
  /** Whether one of the keys has a certificate, in DER (RFC 7517, section 4.7). */
  hasCertificate(source: KeySource, der: Uint8Array, sender: string | undefined): Promise<boolean>;
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
    async find(source, query) {
      const keys = await keysOf(source, query.sender, (key) => isNamedKey(key, query));
      return candidateKeys(keys, query, source.trusted);
    },
    async hasCertificate(source, der, sender) {
      const text = btoa(String.fromCharCode(...der));
      // What a client publishes may be of any type.
      const isThis = ({ x5c }: JWK) => Array.isArray(x5c) && x5c[0] === text;
      return (await keysOf(source, sender, isThis)).some(isThis);
    },
  };
}
