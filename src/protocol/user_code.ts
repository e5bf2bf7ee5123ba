/** No vowels, so that no word comes out, and nothing that looks like something else (RFC 8628, section 6.1). */
const letters = "BCDFGHJKLMNPQRSTVWXZ";

const length = 8;

/** So many random bytes make a code: four for each letter, so that none is likelier than another. */
export const userCodeBytes = 4 * length;

/** Makes a code that a person can read from one screen and type at another. */
export function makeUserCode(bytes: Uint8Array): string {
  const random = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length }, (_, at) => letters[random.getUint32(4 * at) % letters.length]).join(
    "",
  );
}

/** Reads what a person typed: case, dashes and spaces do not matter (RFC 8628, section 6.1). */
export function readUserCode(typed: string): string | undefined {
  const code = typed.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
  return code.length === length && [...code].every((letter) => letters.includes(letter))
    ? code
    : undefined;
}

/** Writes a code so that it is easy to read: `BCDF-GHJK`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}
