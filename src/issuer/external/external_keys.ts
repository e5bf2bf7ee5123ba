import type { JWK } from "jose";
import { cacheLifetime } from "../../http/cache_lifetime.ts";
import type { Client } from "../../model/client.ts";
import { candidateKeys } from "../../protocol/client_key.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { type BoundedMap, createBoundedMap } from "../../util/bounded_map.ts";
import { day, minute } from "../../util/duration.ts";
import { isObject } from "../../util/json.ts";
import { isTooMany } from "../limits/budget.ts";
import type { FetchBudgets } from "../limits/fetch_budgets.ts";
import { fetchJson, type OutboundDependencies } from "../outbound_requests.ts";
import { fromNow } from "../time.ts";

/** A client, or a trusted issuer, that signs what it sends. */
export type KeyHolder = Pick<Client, "id" | "jwks" | "jwksUri" | "trusted" | "registration">;

/** What the header of a signature says about its key, and who sends it. */
export interface KeySearch {
  alg: string;
  kid?: string | undefined;
  /** Pays for fetching the keys of an untrusted client. */
  sender?: string | undefined;
}

/** The public keys of clients and trusted issuers. */
export interface ExternalKeys {
  /**
   * Finds the keys that may have made a signature. Throws an OutboundError if they cannot be
   * fetched.
   */
  find(holder: KeyHolder, search: KeySearch): Promise<JWK[]>;
}

/** A key set that was fetched, or is being fetched. */
interface FetchedKeys {
  url: string;
  keys: Promise<JWK[]>;
  /** In milliseconds. */
  fetchedAt: number;
  freshUntil: number;
}

/** What `createExternalKeys` works with. */
interface ExternalKeysDependencies extends OutboundDependencies {
  now: () => number;
  fetchBudgets: FetchBudgets;
}

/** How long a key set is fresh, in seconds. */
const lifetime = { min: 1 * minute, max: 1 * day, byDefault: 5 * minute };
/**
 * An unknown `kid` may mean new keys, but assertions make us fetch them no more often than this.
 */
const refetchInterval = 1 * minute;
/** How long keys stay usable while our own limits forbid fetching them again. */
const usableFor = 1 * day;
const maxHolders = 1000;

/** Creates the cache of external keys. */
export function createExternalKeys(dependencies: ExternalKeysDependencies): ExternalKeys {
  const { now, fetchBudgets } = dependencies;
  // Two caches, so that untrusted clients cannot push out the keys of trusted ones.
  const ofTrusted = createBoundedMap<FetchedKeys>(maxHolders);
  const ofUntrusted = createBoundedMap<FetchedKeys>(maxHolders);
  const cacheOf = ({ trusted }: KeyHolder): BoundedMap<FetchedKeys> =>
    trusted ? ofTrusted : ofUntrusted;

  /**
   * Concurrent callers wait for the same response, and a failure is remembered for a while as well.
   * Keys that are still fresh stay usable if the fetch fails: an unknown `kid` must not make anyone
   * lose the keys that they have.
   */
  function fetchKeys(holder: KeyHolder, url: string, freshKeys?: FetchedKeys): FetchedKeys {
    const fetched: FetchedKeys = {
      url,
      keys: load(),
      fetchedAt: now(),
      freshUntil: fromNow(dependencies, refetchInterval),
    };
    cacheOf(holder).set(holder.id, fetched);
    return fetched;

    async function load(): Promise<JWK[]> {
      try {
        const target = { what: "keys", url, trusted: hasOperatorUrls(holder) };
        const { document, headers } = await fetchJson(dependencies, target);
        fetched.freshUntil = fromNow(dependencies, cacheLifetime(headers, lifetime));
        return readKeySet(document);
      } catch (cause) {
        if (!freshKeys) throw cause;
        fetched.freshUntil = freshKeys.freshUntil;
        return await freshKeys.keys;
      }
    }
  }

  /** Fetches keys at the expense of the sender. Over the limit, the keys from before are used. */
  function fetchWithinLimits(
    holder: KeyHolder,
    url: string,
    sender: string | undefined,
    before: FetchedKeys | undefined,
  ): FetchedKeys {
    try {
      if (!holder.trusted) fetchBudgets.chargeLookup(url, sender);
    } catch (cause) {
      const isUsable = before !== undefined && now() - before.fetchedAt < usableFor * 1000;
      if (isUsable && isTooMany(cause)) return before;
      throw cause;
    }
    return fetchKeys(holder, url, isFresh(before) ? before : undefined);
  }

  function currentKeys(holder: KeyHolder, url: string, sender: string | undefined): FetchedKeys {
    const entry = cacheOf(holder).get(holder.id);
    const cached = entry?.url === url ? entry : undefined;
    return isFresh(cached) ? cached : fetchWithinLimits(holder, url, sender, cached);
  }

  function isFresh(fetched: FetchedKeys | undefined): fetched is FetchedKeys {
    return fetched !== undefined && fetched.freshUntil > now();
  }

  return {
    async find(holder, { sender, ...header }) {
      const { id, jwks, jwksUri } = holder;
      if (jwksUri === undefined) return candidateKeys(jwks?.keys ?? [], header);
      const current = currentKeys(holder, jwksUri, sender);
      const found = candidateKeys(await current.keys, header);
      if (found.length > 0 || now() - current.fetchedAt < refetchInterval * 1000) return found;
      // A concurrent request may have fetched the keys while this one waited.
      const isLatest = cacheOf(holder).get(id) === current;
      const refetched = isLatest
        ? fetchWithinLimits(holder, jwksUri, sender, current)
        : currentKeys(holder, jwksUri, sender);
      return candidateKeys(await refetched.keys, header);
    },
  };
}

/** Reads a key set of any content. A member that is not a key verifies no signature. */
function readKeySet(document: unknown): JWK[] {
  const keys = isObject(document) ? document.keys : undefined;
  return Array.isArray(keys) ? keys.filter((key): key is JWK => isObject(key)) : [];
}
