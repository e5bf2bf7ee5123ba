/** The two digits of each byte. To compute them each time would take longer than all else. */
const hexDigits: readonly string[] = Array.from(
  { length: 256 },
  (_, byte) => byte.toString(16).padStart(2, "0"),
);

/** Returns bytes as hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += hexDigits[byte];
  return text;
}
