import { type BoundedMap, createBoundedMap } from "../../server/util/values/bounded_map.ts";

/** What a map remembers. */
export type MapMemory<V> = Pick<BoundedMap<V>, "get" | "set">;

/** Creates a map with the entries of another one, to which it adds nothing. */
export function createOverlayMap<V>(base: MapMemory<V>, maxBytes: number): MapMemory<V> {
  const own = createBoundedMap<V>(maxBytes);
  return { set: own.set, get: (name) => own.get(name) ?? base.get(name) };
}
