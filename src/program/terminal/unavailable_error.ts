/** Thrown if what a command asks another server for may succeed later. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}
