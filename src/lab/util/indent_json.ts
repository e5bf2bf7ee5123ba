import { parseJson } from "../../server/util/text/json.ts";

/** Indents a text that is JSON; any other text stays as it is. */
export function indentJson(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
