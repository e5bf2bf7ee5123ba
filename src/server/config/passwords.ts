import { base64url } from "jose";
import { equalInConstantTime } from "../util/crypto/hash.ts";

/** In characters: a shorter password can be guessed (NIST SP 800-63B, section 3.1.1.2). */
export const minPasswordLength = 8;

const saltBytes = 16;
const hashBits = 256;
const defaultIterations = 600_000;
/** A hash from elsewhere may cost four times our own: each wrong password costs that. */
export const maxIterations = 4 * defaultIterations;
/** The iterations, then salt and hash in base64url: 16 bytes or more, and 32 bytes. */
const hashPattern = /^pbkdf2-sha256\$([1-9]\d{0,6})\$([\w-]{22,})\$([\w-]{43})$/;

/** How passwords are hashed. */
export interface Passwords {
  /** Returns the hash to store for a password. */
  hash(password: string): Promise<string>;
  /** Whether a password matches a hash. */
  verify(password: string, hash: string): Promise<boolean>;
  /** Whether a text is a hash that `verify` can read. */
  isHash(text: string): boolean;
}

/** PBKDF2 with SHA-256: the only password hashing function of Web Crypto. */
export const pbkdf2Passwords: Passwords = {
  async hash(password) {
    const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
    const derivedKey = await deriveKey(password, salt, defaultIterations);
    return `pbkdf2-sha256$${defaultIterations}$${base64url.encode(salt)}$${derivedKey}`;
  },
  async verify(password, hash) {
    const [, iterations, encodedSalt, derivedKey] = hashPattern.exec(hash) ?? [];
    if (encodedSalt === undefined || derivedKey === undefined) return false;
    const salt = new Uint8Array(base64url.decode(encodedSalt));
    return equalInConstantTime(derivedKey, await deriveKey(password, salt, Number(iterations)));
  },
  isHash: (text) => Number(hashPattern.exec(text)?.[1]) <= maxIterations,
};

async function deriveKey(
  password: string,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
): Promise<string> {
  const bytes = new TextEncoder().encode(password);
  const key = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"]);
  const parameters = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  const bits = await crypto.subtle.deriveBits(parameters, key, hashBits);
  return base64url.encode(new Uint8Array(bits));
}
