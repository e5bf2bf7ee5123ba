/** Why an operator's request was refused, in one sentence. */
export class AdminError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "AdminError";
  override readonly name = "AdminError";
}
