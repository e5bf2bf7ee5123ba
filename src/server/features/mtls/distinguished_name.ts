import { decodeUtf8, encodeUtf8, toHex } from "../../util/bytes/encoding.ts";

/**
 * How types of attributes are written: those of RFC 4514, section 3, and what else certificates of
 * clients have. Others are written as numbers.
 */
export const shortNames: Readonly<Record<string, string>> = {
  "2.5.4.3": "CN",
  "2.5.4.5": "serialNumber",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.9": "STREET",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "2.5.4.15": "businessCategory",
  "2.5.4.97": "organizationIdentifier",
  "0.9.2342.19200300.100.1.1": "UID",
  "0.9.2342.19200300.100.1.25": "DC",
  "1.2.840.113549.1.9.1": "emailAddress",
};

/** Longer names are refused before they are parsed. */
const maxLength = 1024;

/** One `CN=client`, with the comma or plus behind it. */
const attributePattern =
  /^ *([a-z][a-z\d-]*|\d+(?:\.\d+)+) *= *((?:\\(?:[\da-f]{2}|[ "#+,;<=>\\])|[^"+,;<>\\\0])*?) *([,+]|$)/i;

/** What is escaped in a value: some characters, a space at either end, `#` at the beginning. */
const specialCharacters = /["+,;<>\\]|^[ #]| $/g;
const controlCharacters = /\p{Cc}/gu;

/**
 * Returns a name that a person wrote (RFC 4514) as `nameText` writes it; undefined if it is none.
 * Spaces, the order within a level and the case of types do not matter; that of values does.
 */
export function normalizeName(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
  const levels: string[][] = [];
  for (let rest = text, separator: string | undefined = ","; separator !== "";) {
    if (separator === ",") levels.push([]);
    const [all = "", type = "", value = "", end] = attributePattern.exec(rest) ?? [];
    const attribute = end === undefined ? undefined : normalizeAttribute(type, value);
    if (attribute === undefined) return undefined;
    levels.at(-1)?.push(attribute);
    rest = rest.slice(all.length);
    separator = end;
  }
  return writeLevels(levels);
}

/** Writes a name by its levels. The attributes of one level are sorted. */
export function writeLevels(levels: readonly string[][]): string {
  return levels.map((attributes) => attributes.sort().join("+")).join(",");
}

function normalizeAttribute(type: string, written: string): string | undefined {
  const known = Object.entries(shortNames).find(([id, name]) =>
    id === type || name.toLowerCase() === type.toLowerCase()
  );
  const name = known?.[1];
  if (/^#(?:[\da-f]{2})+$/i.test(written)) return `${name ?? type}=${written.toLowerCase()}`;
  const text = name && unescapeValue(written);
  return text === undefined ? undefined : `${name}=${escapeValue(text)}`;
}

/** Escapes characters that RFC 4514 gives a meaning. */
export function escapeValue(text: string): string {
  return text.replace(specialCharacters, "\\$&").replace(
    controlCharacters,
    (char) => toHex(encodeUtf8(char)).replace(/../g, "\\$&"),
  );
}

/** Returns undefined if bytes in hexadecimal are not UTF-8. */
function unescapeValue(written: string): string | undefined {
  let isValid = !written.startsWith("#");
  const text = written.replace(/((?:\\[\da-f]{2})+)|\\(.)/gi, (_, bytes?: string, char = "") => {
    if (bytes === undefined) return char;
    const decoded = decodeUtf8(
      Uint8Array.from(bytes.slice(1).split("\\"), (hex) => parseInt(hex, 16)),
    );
    isValid &&= decoded !== undefined;
    return decoded ?? "";
  });
  return isValid ? text : undefined;
}
