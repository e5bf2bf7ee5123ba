import type { ChosenValues, ValueOptions } from "./chosen_values.ts";
import type { Values } from "./values.ts";

/** What a test can do to choose values. */
export interface ValueTools {
  /**
   * Chooses codes, tokens, client ids and secrets, in place of random ones: `lab.values({ code:
   * "abc", accessToken: ["first", "second"], client: "web" })`. The lab uses a text each time, and
   * each entry of a list once. The values are real: they expire, are redeemed once, refreshed and
   * revoked. One that exists already belongs to its new owner from then on.
   *
   * @throws {LabError} There is no such kind of value, or a value is invalid.
   */
  values(options: ValueOptions): ChosenValues;
}

/** What the interface over HTTP needs beside it. */
export interface ValueInternals {
  readonly chosenValues: Pick<Values, "list" | "removeAll">;
}
