/** Thrown if what a command asks another server for, or reads, may be there later. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}
