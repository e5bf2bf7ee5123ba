import { OAuthError } from "../../protocol/oauth_error.ts";

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

const window = 60_000;
/** Many people may share an address, and many addresses may try one name. */
const addressWeight = 10;
const nameWeight = 20;
/** Names come from strangers: what they make us remember is bounded. */
const mostNames = 10_000;
const longestName = 200;

/**
 * Counts wrong guesses in windows of a minute: of one name from one address, of one address, and of one name from anywhere.
 * A try counts before it is checked, so that a thousand at once are not all let through. Each process counts for itself.
 */
export function createThrottle(now: () => number, perMinute: number): Throttle {
  let started = 0;
  let counted = new Map<string, number>();

  function current(): Map<string, number> {
    const latest = Math.floor(now() / window);
    if (latest !== started) [started, counted] = [latest, new Map()];
    return counted;
  }

  return {
    async guard(attempt, check) {
      const counts = current();
      const names = namesOf(attempt);
      if (names.some(({ name, weight }) => (counts.get(name) ?? 0) >= perMinute * weight)) throw tooMany();
      for (const { name } of names) add(counts, name, 1);
      const guess = await check();
      if (!guess.wrongSecret) { for (const { name } of names) add(counts, name, -1); }
      return guess.found;
    },
  };
}

function add(counts: Map<string, number>, name: string, difference: number): void {
  counts.set(name, Math.max(0, (counts.get(name) ?? 0) + difference));
  if (counts.size > mostNames) counts.delete(counts.keys().next().value!);
}

function namesOf({ of, from }: Attempt): Array<{ name: string; weight: number }> {
  const name = of.slice(0, longestName);
  if (from === undefined) return [{ name, weight: 1 }];
  const address = networkOf(from);
  return [{ name: `${name}\n${address}`, weight: 1 }, { name: address, weight: addressWeight }, { name, weight: nameWeight }];
}

/** Of IPv6 one household has a whole /64. */
function networkOf(address: string): string {
  return address.includes(":") && !address.includes(".") ? address.split(":").slice(0, 4).join(":") : address;
}

function tooMany(): OAuthError {
  return new OAuthError("temporarily_unavailable", "Too many wrong attempts; try again in a minute.", {
    status: 429,
    headers: { "Retry-After": "60" },
  });
}
