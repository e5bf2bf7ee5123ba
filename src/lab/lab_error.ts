/** What is wrong with an order to the lab, in a sentence that says what there is. Nothing was changed. */
export class LabError extends Error {
  override readonly name = "LabError";
}

/** Refuses a name that nobody bears, and lists those that somebody does. */
export function unknownName(what: string, name: string, known: readonly string[]): LabError {
  const list = known.length > 0 ? `there are: ${known.join(", ")}` : "there is none";
  return new LabError(`There is no ${what} '${name}'; ${list}.`);
}
