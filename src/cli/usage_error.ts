/** Something about the call that cannot be. The program ends with this one line, and exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
