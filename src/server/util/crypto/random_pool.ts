import { toHex } from "../bytes/hex.ts";

/** How many random bytes are taken from the system at a time. */
const poolSize = 4096;

const pool = new Uint8Array(poolSize);
/** Where the unused bytes begin. */
let position = poolSize;

/**
 * Returns random bytes. They are taken from the system in large pieces, because a call for 16 of
 * them costs nearly as much as one for thousands. The pool forgets the bytes that it returns.
 */
export function pooledRandomBytes(count: number): Uint8Array {
  if (count > poolSize) return crypto.getRandomValues(new Uint8Array(count));
  if (position + count > poolSize) {
    crypto.getRandomValues(pool);
    position = 0;
  }
  const bytes = pool.slice(position, position + count);
  pool.fill(0, position, position + count);
  position += count;
  return bytes;
}

/** Returns groups of eight random hexadecimal digits, for ids that need not be secret. */
export function randomHex(groups: number): string {
  return toHex(pooledRandomBytes(4 * groups));
}
