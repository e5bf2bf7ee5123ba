import { base64url } from "jose";
import { equalInConstantTime } from "../util/hash.ts";

const saltLength = 16;
const iterations = 600_000;
const hashFormat = /^pbkdf2-sha256\$(\d{1,8})\$([\w-]{22,})\$([\w-]{43})$/;

/** Hashes passwords, and verifies them. */
export interface Passwords {
  /** Returns the hash to store for a password. */
  hash(password: string): Promise<string>;
  /** Whether a password has a hash. */
  verify(password: string, hash: string): Promise<boolean>;
  /** Whether a text is a hash that `verify` can read. */
  isHash(text: string): boolean;
}

/** PBKDF2 with SHA-256: the one password function of every web-standard runtime. */
export const pbkdf2Passwords: Passwords = {
  async hash(password) {
    const salt = crypto.getRandomValues(new Uint8Array(saltLength));
    const derived = await derive(password, salt, iterations);
    return `pbkdf2-sha256$${iterations}$${base64url.encode(salt)}$${derived}`;
  },
  async verify(password, hash) {
    const [, rounds, salt, derived] = hashFormat.exec(hash) ?? [];
    if (salt === undefined || derived === undefined) return false;
    const saltBytes = new Uint8Array(base64url.decode(salt));
    return equalInConstantTime(derived, await derive(password, saltBytes, Number(rounds)));
  },
  isHash: (text) => hashFormat.test(text),
};

async function derive(
  password: string,
  salt: Uint8Array<ArrayBuffer>,
  rounds: number,
): Promise<string> {
  const bytes = new TextEncoder().encode(password);
  const key = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"]);
  const parameters = { name: "PBKDF2", hash: "SHA-256", salt, iterations: rounds };
  const bits = await crypto.subtle.deriveBits(parameters, key, 256);
  return base64url.encode(new Uint8Array(bits));
}
