import { base64url } from "jose";
import { equalInConstantTime } from "../util/hash.ts";

/** How passwords are kept, and compared with what is typed. */
export interface Passwords {
  /** Returns a salted hash of a password, as it is stored. */
  hash(password: string): Promise<string>;
  /** Returns whether a password belongs to a hash. */
  verify(password: string, hash: string): Promise<boolean>;
  /** Whether a text is a hash that `verify` can read. */
  isHash(text: string): boolean;
}

const rounds = 600_000;
const format = /^pbkdf2-sha256\$(\d{1,8})\$([\w-]{22,})\$([\w-]{43})$/;

/** PBKDF2 with SHA-256: the one password function that every web-standard runtime has. */
export const pbkdf2Passwords: Passwords = {
  async hash(password) {
    const salt = crypto.getRandomValues(new Uint8Array(16));
    return `pbkdf2-sha256$${rounds}$${base64url.encode(salt)}$${await derive(
      password,
      salt,
      rounds,
    )}`;
  },
  async verify(password, hash) {
    const [, times, salt, derived] = format.exec(hash) ?? [];
    if (derived === undefined) return false;
    return equalInConstantTime(
      derived,
      await derive(password, new Uint8Array(base64url.decode(salt)), Number(times)),
    );
  },
  isHash: (text) => format.test(text),
};

async function derive(
  password: string,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
): Promise<string> {
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(password),
    "PBKDF2",
    false,
    ["deriveBits"],
  );
  const bits = await crypto.subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations },
    key,
    256,
  );
  return base64url.encode(new Uint8Array(bits));
}
