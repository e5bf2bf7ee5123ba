/**
 * Thrown if a store cannot be opened at the moment: it is unreachable, still starting, or full. The
 * same address may work later.
 */
export class StoreUnavailableError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "StoreUnavailableError";
}

/** What the messages of an error mean, and whether the problem may pass by itself. */
export type FailureReason = [pattern: RegExp, reason: string, passes?: "passes"];
