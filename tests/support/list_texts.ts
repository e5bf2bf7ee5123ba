import { isObject } from "../../src/server/util/text/json.ts";

/** Lists every text with its path: `["signIn.username", "User name"]`. */
export function listTexts(texts: object = {}, prefix = ""): Array<[path: string, text: string]> {
  return Object.entries(texts).flatMap(([name, entry]): Array<[string, string]> =>
    isObject(entry) ? listTexts(entry, `${prefix}${name}.`) : [[`${prefix}${name}`, String(entry)]]
  );
}
