/** What an operator asked for and cannot have, in one sentence. */
export class AdminError extends Error {
  override readonly name = "Refused";
}
