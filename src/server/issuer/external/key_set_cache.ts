import { megabyte } from "../../util/values/bounded_map.ts";
import { type CacheCost, createFairCache } from "../limits/fair_cache.ts";
import type { CachedKeySet, KeySource } from "./key_sets.ts";

/** The key sets that were fetched last, by the client or issuer that they belong to. */
export interface KeySetCache {
  get(source: KeySource): CachedKeySet | undefined;
  set(source: KeySource, keySet: CachedKeySet, cost: CacheCost): void;
}

const maxTrustedBytes = 64 * megabyte;
const maxUntrustedBytes = 16 * megabyte;

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
