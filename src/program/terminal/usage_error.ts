/**
 * An invalid command line, environment or file. The program prints the message and exits with code
 * 2.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
