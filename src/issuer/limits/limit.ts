import { OAuthError } from "../../protocol/oauth_error.ts";

/** Lets only a few runs of something costly happen at a time; a few more may wait, and the rest are turned away. */
export type Limit = <T>(run: () => Promise<T>) => Promise<T>;

export function createLimit(atOnce: number, mayWait: number): Limit {
  const waiting: Array<() => void> = [];
  let running = 0;
  return async (run) => {
    if (running >= atOnce) {
      if (waiting.length >= mayWait) throw busy();
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    running++;
    try {
      return await run();
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
}

function busy(): OAuthError {
  return new OAuthError("temporarily_unavailable", "Too many people are signing in at this moment; try again in a few seconds.", {
    headers: { "Retry-After": "5" },
  });
}
