import { errorFactory } from "../../protocol/oauth_error.ts";

const temporarilyUnavailable = errorFactory("temporarily_unavailable");

/** Creates the error of a store that fails. It is not the client's fault. */
export function unavailable(cause: unknown): Error {
  return temporarilyUnavailable("The server cannot reach its storage; try again in a moment.", {
    headers: { "Retry-After": "5" },
    cause,
  });
}

/** Calls a store. If it fails, perhaps before it returns a promise, no success is reported. */
export async function orUnavailable<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw unavailable(cause);
  }
}
