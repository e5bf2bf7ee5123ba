import { createBoundedMap } from "../../util/values/bounded_map.ts";
import type { CachedKeySet, KeySource } from "./key_sets.ts";

/** The key sets that were fetched last, by the client or issuer that they belong to. */
export interface KeySetCache {
  get(source: KeySource): CachedKeySet | undefined;
  set(source: KeySource, keySet: CachedKeySet): void;
}

const maxKeySets = 1000;

/** Creates an empty cache. Untrusted clients cannot evict the keys of trusted ones. */
export function createKeySetCache(): KeySetCache {
  const trusted = createBoundedMap<CachedKeySet>(maxKeySets);
  const untrusted = createBoundedMap<CachedKeySet>(maxKeySets);
  const mapOf = (source: KeySource) => source.trusted ? trusted : untrusted;
  return {
    get: (source) => mapOf(source).get(source.id),
    set: (source, keySet) => mapOf(source).set(source.id, keySet),
  };
}
