import { type CheckRows, checkRows } from "../../../findings/sentences.ts";
import sentences from "./sentences.json" with { type: "json" };

/** Rows of checks of APIs, from the sentences that bind one. */
export const { must, should, may }: CheckRows<keyof typeof sentences.api> = checkRows(sentences);
