import { type Passwords, pbkdf2Passwords } from "../../server/config/passwords.ts";
import { equalInConstantTime, sha256 } from "../../server/util/crypto/hash.ts";

/**
 * Hashes passwords with a plain SHA-256, because a page of the lab shows them anyway and a test
 * must not pay 200 ms for each sign-in. Other hashes, such as those of `hallpass user add`, work as
 * well.
 */
export const publicPasswords: Passwords = {
  hash: async (password) => `sha256$${await sha256(password)}`,
  verify: async (password, hash) =>
    pbkdf2Passwords.isHash(hash)
      ? pbkdf2Passwords.verify(password, hash)
      : equalInConstantTime(hash, `sha256$${await sha256(password)}`),
  isHash: (text) => /^sha256\$[\w-]{43}$/.test(text) || pbkdf2Passwords.isHash(text),
};
