import { type CheckRows, checkRows } from "../../../findings/sentences.ts";
import { type ApiCheck, unlessOpaque } from "../api_check.ts";
import sentences from "./sentences.json" with { type: "json" };

/** Rows of checks of APIs, from the sentences that bind one. */
export const { must, should, may }: CheckRows<keyof typeof sentences.api> = checkRows(sentences);

/** Makes a row that needs tokens whose parts can be changed. */
export function mustOfJwts(
  sentence: keyof typeof sentences.api,
  rest: Parameters<typeof must<Omit<ApiCheck, "id">>>[1],
): Omit<ApiCheck, "id"> {
  return must(sentence, { leftOut: unlessOpaque, ...rest });
}
