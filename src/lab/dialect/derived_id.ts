import { shortHash } from "../../server/util/crypto/hash.ts";
import type { SubjectForm } from "./identifier_settings.ts";

const alphabets: Readonly<Record<SubjectForm["form"], string>> = {
  uuid: "0123456789abcdef",
  hex: "0123456789abcdef",
  digits: "0123456789",
  uppercase: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  alphanumeric: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
};

/**
 * Returns an identifier that is the same for the same text. It is not a secret, and proves nothing:
 * the subjects of test users only need the right form.
 */
export function derivedId(text: string, form: SubjectForm): string {
  const { prefix = "", suffix = "" } = form;
  return prefix + innerId(text, form) + suffix;
}

function innerId(text: string, { form, length = 21 }: SubjectForm): string {
  if (form === "uuid") return uuidOf(charactersOf(text, alphabets.uuid, 32));
  const characters = charactersOf(text, alphabets[form], length);
  // A number does not begin with zero.
  return form === "digits" ? characters.replace(/^0/, "1") : characters;
}

function charactersOf(text: string, alphabet: string, length: number): string {
  return Array.from({ length }, (_, at) => {
    // What precedes the text makes each position independent: otherwise two texts with the same
    // short hash would have the same id. What follows spreads the last characters over all bits.
    const hash = parseInt(shortHash(`${at} of ${text} at ${at} of the alphabet`), 36);
    return alphabet[Math.floor((hash / 2 ** 32) * alphabet.length)];
  }).join("");
}

/** Writes 32 hexadecimal digits as a UUID of version 4. */
function uuidOf(hex: string): string {
  const digits = `${hex.slice(0, 12)}4${hex.slice(13, 16)}a${hex.slice(17)}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
