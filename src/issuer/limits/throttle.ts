import { networkOf } from "../../http/address.ts";
import type { BoundedMap } from "./bounded_map.ts";
import { createMinuteCounts, tooMany } from "./minute_counts.ts";

/** Slows down whoever guesses secrets or passwords (OAuth 2.1, section 2.4.1). */
export interface Throttle {
  /** Runs a check of a secret, unless too many were wrong lately. Only a wrong secret counts; who asks for a stranger is no guesser. */
  guard<T>(attempt: Attempt, check: () => Promise<Guess<T>>): Promise<T | undefined>;
}

/** Whose secret is tried, and from where, if that is known. */
export interface Attempt {
  of: string;
  from?: string;
}

/** What came of a try. */
export interface Guess<T> {
  found?: T;
  wrongSecret: boolean;
}

/** Many people may share an address, and many addresses may try one name. */
const addressWeight = 10;
const nameWeight = 20;
const longestName = 200;

/**
 * Counts wrong guesses: of one name from one address, of one address, and of one name from anywhere.
 * A try counts before it is checked, so that a thousand at once are not all let through.
 */
export function createThrottle(now: () => number, perMinute: number): Throttle {
  const current = createMinuteCounts(now);
  return {
    async guard(attempt, check) {
      const counts = current();
      const names = namesOf(attempt);
      if (names.some(({ name, weight }) => (counts.get(name) ?? 0) >= perMinute * weight)) {
        throw tooMany("Too many wrong attempts; try again in a minute.");
      }
      for (const { name } of names) add(counts, name, 1);
      const guess = await check();
      if (!guess.wrongSecret) { for (const { name } of names) add(counts, name, -1); }
      return guess.found;
    },
  };
}

/** Who guessed nothing wrong takes no room; else whoever asks under ten thousand names would make us forget the guessers. */
function add(counts: BoundedMap<number>, name: string, difference: number): void {
  const count = (counts.get(name) ?? 0) + difference;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}

function namesOf({ of, from }: Attempt): Array<{ name: string; weight: number }> {
  const name = of.slice(0, longestName);
  if (from === undefined) return [{ name, weight: 1 }];
  const address = networkOf(from);
  return [{ name: `${name}\n${address}`, weight: 1 }, { name: address, weight: addressWeight }, { name, weight: nameWeight }];
}
