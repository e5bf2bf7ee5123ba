import { errorFactory } from "../../protocol/oauth_error.ts";

const temporarilyUnavailable = errorFactory("temporarily_unavailable");

/** Creates the error of a store that fails. It is not the client's fault. */
export function unavailable(cause: unknown): Error {
  return temporarilyUnavailable("The server cannot reach its storage; try again in a moment.", {
    headers: { "Retry-After": "5" },
    cause,
  });
}

/** Waits for a store. If it fails, no success is reported. */
export function orUnavailable<T>(work: Promise<T>): Promise<T> {
  // A store that is written in JavaScript may return a value.
  return Promise.resolve(work).catch((cause) => {
    throw unavailable(cause);
  });
}
