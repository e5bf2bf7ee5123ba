/** Why a database cannot hold the store, in words for the operator. */
export class UnsuitableServerError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "UnsuitableServerError";
}
