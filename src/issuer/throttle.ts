import { OAuthError } from "../protocol/oauth_error.ts";

/** Slows down whoever guesses secrets or passwords (OAuth 2.1, section 2.4.1). */
export interface Throttle {
  /** Refuses while too many guesses were wrong. */
  check(attempt: Attempt): void;
  /** Counts a wrong guess. */
  count(attempt: Attempt): void;
}

/** Whose secret is being guessed, and from where, if that is known. */
export interface Attempt {
  of: string;
  from?: string;
}

const oneMinute = 60_000;
/** One address may be the door of a whole company. */
const addressAllowance = 10;
/** Names come from strangers: what they make us remember is bounded. */
const mostNames = 10_000;

/** Counts wrong guesses per name and address, and per address, in windows of a minute. Nothing is stored: each process counts for itself. */
export function createThrottle(now: () => number, perMinute: number): Throttle {
  let window = 0;
  let failures = new Map<string, number>();

  function current(): Map<string, number> {
    const started = Math.floor(now() / oneMinute);
    if (started !== window) [window, failures] = [started, new Map()];
    return failures;
  }

  return {
    check(attempt) {
      const counted = current();
      if (namesOf(attempt).every(({ name, weight }) => (counted.get(name) ?? 0) < perMinute * weight)) return;
      throw new OAuthError("too_many_requests", "Too many wrong attempts; try again in a minute.", {
        headers: { "Retry-After": "60" },
      });
    },
    count(attempt) {
      const counted = current();
      for (const { name } of namesOf(attempt)) counted.set(name, (counted.get(name) ?? 0) + 1);
      if (counted.size > mostNames) counted.delete(counted.keys().next().value!);
    },
  };
}

function namesOf({ of, from }: Attempt): Array<{ name: string; weight: number }> {
  const pair = { name: `${of}\n${from ?? ""}`, weight: 1 };
  return from === undefined ? [pair] : [pair, { name: from, weight: addressAllowance }];
}
