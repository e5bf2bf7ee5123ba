import { base64url } from "jose";
import { equalInConstantTime, sha256 } from "../protocol/digest.ts";

/** How passwords are kept, and compared with what somebody types. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
}

const rounds = 600_000;

/** PBKDF2 with SHA-256: the one password function that every web-standard runtime has. */
export const pbkdf2Passwords: Passwords = {
  async hash(password) {
    const salt = crypto.getRandomValues(new Uint8Array(16));
    return `pbkdf2-sha256$${rounds}$${base64url.encode(salt)}$${await derive(password, salt, rounds)}`;
  },
  async verify(password, hash) {
    const [scheme, times, salt, derived] = hash.split("$");
    if (scheme !== "pbkdf2-sha256") return false;
    return equalInConstantTime(derived, await derive(password, new Uint8Array(base64url.decode(salt)), Number(times)));
  },
};

/** One plain SHA-256, for passwords that stand on a page anyway: a test must not pay for each sign-in. */
export const publicPasswords: Passwords = {
  hash: async (password) => `sha256$${await sha256(password)}`,
  verify: async (password, hash) => equalInConstantTime(hash, `sha256$${await sha256(password)}`),
};

async function derive(password: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<string> {
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(password), "PBKDF2", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, key, 256);
  return base64url.encode(new Uint8Array(bits));
}
