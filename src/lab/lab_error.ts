/**
 * A lab cannot do what a test asked for. The message names the valid choices; nothing has changed.
 */
export class LabError extends Error {
  /** The name of the error class. */
  override readonly name = "LabError";
}

/** Returns the error for a name that does not exist; it lists the names that do. */
export function unknownName(what: string, name: string, names: readonly string[]): LabError {
  const list = names.length > 0 ? `Choose one of: ${names.join(", ")}` : "None exist";
  return new LabError(`There is no ${what} '${name}'. ${list}.`);
}
