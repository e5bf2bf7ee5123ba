/** The two digits of each byte. To compute them each time would take longer than all else here. */
const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Random numbers of 32 bits. They are taken from the system in large pieces. */
const pool = new Uint32Array(1024);
/** Where the unused numbers begin. */
let position = pool.length;

/** Returns groups of eight random hexadecimal digits, for ids that need not be secret. */
export function randomHex(groups: number): string {
  let text = "";
  for (let group = 0; group < groups; group++) text += eightDigits(nextNumber());
  return text;
}

function nextNumber(): number {
  if (position === pool.length) {
    crypto.getRandomValues(pool);
    position = 0;
  }
  return pool[position++] ?? 0;
}

function eightDigits(number: number): string {
  return fourDigits(number >>> 16) + fourDigits(number & 0xffff);
}

function fourDigits(number: number): string {
  return `${digits[number >>> 8]}${digits[number & 0xff]}`;
}
