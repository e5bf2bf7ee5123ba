/** The store holds what this server cannot read. A restart does not help; the operator must act. */
export class UnreadableStoreError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "UnreadableStoreError";
}

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
