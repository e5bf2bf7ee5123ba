/**
 * Thrown if a store cannot be opened at the moment: it is unreachable, still starting, or full. The
 * same address may work later.
 */
export class StoreUnavailableError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "StoreUnavailableError";
}

/** Why a database cannot hold the store, in words for the operator. */
export class UnsuitableServerError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "UnsuitableServerError";
}

/** The store holds what this server cannot read. A restart does not help; the operator must act. */
export class UnreadableStoreError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "UnreadableStoreError";
}

/** What the messages of an error mean, and whether the problem may pass by itself. */
export type FailureReason = [pattern: RegExp, reason: string, passes?: "passes"];

/**
 * Creates the error of stored data that another version of the server wrote. What lacks a member
 * that it must have is refused, because it would be taken as unrestricted.
 */
export function unreadable(what: string): Error {
  return new UnreadableStoreError(
    `The store holds ${what} in a form that this version of Hallpass does not read; use the ` +
      "version that wrote it.",
  );
}

/** Reads the JSON in a row that is stored under a kind and an id. */
export function readValue(json: string, kind: string, id: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new UnreadableStoreError(
      `The row '${kind} ${id}' in the store is damaged; restore a backup.`,
    );
  }
}
