import { tooMany } from "./guess_limits.ts";
import { createMinuteCounts } from "./minute_counts.ts";

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
      const count = (counts.get(what) ?? 0) + 1;
      // Those that are refused count as well: what is asked for again and again is not forgotten for what was asked for once.
      counts.set(what, count);
      if (count > most) throw tooMany("Too many of these requests; try again in a minute.");
    },
  };
}
