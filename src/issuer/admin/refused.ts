/** What an operator asked for and cannot have, in one sentence. */
export class Refused extends Error {
  override readonly name = "Refused";
}
