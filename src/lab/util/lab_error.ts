/** Thrown if a lab cannot do what a test asked for. The message lists the valid values. */
export class LabError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "LabError";
  /** The name of the error class. */
  override readonly name = "LabError";
  /** The setting that is wrong, for the form that it came from. */
  declare readonly field: string | undefined;

  /** Creates the error from its message, its cause, and the setting that is wrong. */
  constructor(message: string, options: ErrorOptions & { field?: string | undefined } = {}) {
    super(message, options);
    // Runtimes print every member below the message of an error that fails a test.
    if (options.field !== undefined) this.field = options.field;
  }
}

/** Returns the error for an unknown name. Its message lists the known ones. */
export function unknownName(kind: string, name: string, knownNames: readonly string[]): LabError {
  const isUnknown = `There is no ${kind} '${name}'`;
  if (knownNames.length === 0) return new LabError(`${isUnknown}, nor any other.`);
  return new LabError(`${isUnknown}. Choose one of: ${knownNames.join(", ")}.`);
}
