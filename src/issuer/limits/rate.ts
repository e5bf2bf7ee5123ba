import { OAuthError } from "../../protocol/oauth_error.ts";

/** Bounds how often something that costs us happens in a minute. */
export interface Rate {
  /** Counts one of them, and refuses it where there were too many. */
  take(what: string, most: number): void;
}

const window = 60_000;
/** Names come from strangers: what they make us remember is bounded. */
const mostNames = 10_000;

/** Counts in windows of a minute; each process counts for itself. */
export function createRate(now: () => number): Rate {
  let started = 0;
  let counts = new Map<string, number>();
  return {
    take(what, most) {
      const latest = Math.floor(now() / window);
      if (latest !== started) [started, counts] = [latest, new Map()];
      const count = counts.get(what) ?? 0;
      if (count >= most) throw tooMany();
      counts.set(what, count + 1);
      if (counts.size > mostNames) counts.delete(counts.keys().next().value!);
    },
  };
}

function tooMany(): OAuthError {
  return new OAuthError("temporarily_unavailable", "Too many of these requests; try again in a minute.", {
    status: 429,
    headers: { "Retry-After": "60" },
  });
}
