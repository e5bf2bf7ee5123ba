import type { BoundedMap } from "./bounded_map.ts";
import { createBoundedMap } from "./bounded_map.ts";

const minute = 60_000;
const mostNames = 10_000;

/** Counts by name, which begin anew with each minute. Each process counts for itself. */
export function createMinuteCounts(now: () => number): () => BoundedMap<number> {
  let current = 0;
  let counts = createBoundedMap<number>(mostNames);
  return () => {
    const latest = Math.floor(now() / minute);
    if (latest !== current) [current, counts] = [latest, createBoundedMap(mostNames)];
    return counts;
  };
}
