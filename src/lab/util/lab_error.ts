/**
 * Thrown if a lab cannot do what a test asked for. The message lists the valid values. The lab has
 * not changed.
 */
export class LabError extends Error {
  /** The name of the error class. */
  override readonly name = "LabError";
}

/** Returns the error for an unknown name. Its message lists the known ones. */
export function unknownName(kind: string, name: string, knownNames: readonly string[]): LabError {
  const isUnknown = `There is no ${kind} '${name}'`;
  if (knownNames.length === 0) return new LabError(`${isUnknown}, nor any other.`);
  return new LabError(`${isUnknown}. Choose one of: ${knownNames.join(", ")}.`);
}
