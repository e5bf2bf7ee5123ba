/** Consonants only, to avoid words and look-alike characters (RFC 8628, section 6.1). */
const letters = "BCDFGHJKLMNPQRSTVWXZ";

const codeLength = 8;
/** A code in a path: in any case, and with a dash, a space or other signs around its middle. */
const typedCode = new RegExp(
  `(?<=^|[^A-Za-z0-9-]|%[0-9a-f]{2})[${letters}]{4}(?:%[0-9a-f]{2}|[^A-Za-z0-9/]){0,6}` +
    `[${letters}]{4}(?![A-Za-z0-9-])`,
  "gi",
);
const bytesPerLetter = 4;

/** How many random bytes make a code. Four per letter leave no measurable bias. */
export const userCodeBytes = bytesPerLetter * codeLength;

/** Makes a code that a user can read on one screen and type on another. */
export function makeUserCode(bytes: Uint8Array): string {
  const random = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const letterAt = (index: number) =>
    letters.charAt(random.getUint32(bytesPerLetter * index) % letters.length);
  return Array.from({ length: codeLength }, (_, index) => letterAt(index)).join("");
}

/** Reads a typed code. Case, dashes and spaces do not matter (RFC 8628, section 6.1). */
export function readUserCode(typed: string): string | undefined {
  const code = typed.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
  const isValid = code.length === codeLength &&
    [...code].every((letter) => letters.includes(letter));
  return isValid ? code : undefined;
}

/** Replaces each user code in a path, written in any way that a user may type it. */
export function hideUserCodes(path: string): string {
  return path.replace(typedCode, "[user code]");
}

/** Formats a code so that it is easy to read: `BCDF-GHJK`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
}
