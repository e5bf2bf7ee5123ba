import { createMinuteCounts, tooMany } from "./minute_counts.ts";

/** Bounds how often something that costs us happens in a minute. */
export interface Rate {
  /** Counts one of them, and refuses it where there were too many. */
  take(what: string, most: number): void;
}

export function createRate(now: () => number): Rate {
  const current = createMinuteCounts(now);
  return {
    take(what, most) {
      const counts = current();
      const count = counts.get(what) ?? 0;
      if (count >= most) throw tooMany("Too many of these requests; try again in a minute.");
      counts.set(what, count + 1);
    },
  };
}
