import { nativeCrypto } from "./native_crypto.ts";

/** How many random bytes are taken from the system at a time. */
const poolSize = 4096;

const pool = new Uint8Array(poolSize);
/** Where the unused bytes begin. */
let position = poolSize;

// On Node, the first use of Web Crypto loads it.
const fill = nativeCrypto.randomFillSync ?? ((bytes) => crypto.getRandomValues(bytes));

/**
 * Returns random bytes. They are taken from the system in large pieces, because a call for 16 of
 * them costs nearly as much as one for thousands. The pool forgets the bytes that it returns.
 */
export function pooledRandomBytes(count: number): Uint8Array {
  if (count > poolSize) return crypto.getRandomValues(new Uint8Array(count));
  if (position + count > poolSize) {
    fill(pool);
    position = 0;
  }
  const bytes = pool.slice(position, position + count);
  pool.fill(0, position, position + count);
  position += count;
  return bytes;
}

/**
 * Returns 32 hexadecimal digits, of which 122 bits are random, for ids that need not be secret. The
 * last 16 digits are an id, too.
 */
export function randomHex(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
