import { type Passwords, pbkdf2Passwords } from "../config/passwords.ts";
import { equalInConstantTime, sha256 } from "../util/hash.ts";

/**
 * One plain SHA-256, for passwords that stand on a page anyway: a test must not pay 200 ms for each sign-in.
 * A hash from elsewhere, such as `hallpass user add` writes it, is read all the same.
 */
export const publicPasswords: Passwords = {
  hash: async (password) => `sha256$${await sha256(password)}`,
  verify: async (password, hash) =>
    pbkdf2Passwords.isHash(hash)
      ? pbkdf2Passwords.verify(password, hash)
      : equalInConstantTime(hash, `sha256$${await sha256(password)}`),
  isHash: (text) => /^sha256\$[\w-]{43}$/.test(text) || pbkdf2Passwords.isHash(text),
};
