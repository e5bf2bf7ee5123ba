import { hexDigits } from "./hex.ts";

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
  return `${hexDigits[number >>> 8]}${hexDigits[number & 0xff]}`;
}
