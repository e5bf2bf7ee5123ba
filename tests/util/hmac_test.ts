import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createHmac } from "../../src/server/util/crypto/hash.ts";
import { type NativeCrypto, nativeCrypto } from "../../src/server/util/crypto/native_crypto.ts";

/** The second test case of RFC 4231, section 4.3. */
const key = "Jefe";
const text = "what do ya want for nothing?";
const expected = "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM";

const implementations: Array<[name: string, native: NativeCrypto]> = [
  ["Node's crypto", nativeCrypto],
  ["Web Crypto", {}],
];

describe("The HMAC-SHA-256 by", () => {
  for (const [name, native] of implementations) {
    it(`${name} is that of RFC 4231`, async () => {
      const hmac = await createHmac(key, native);
      assertEquals(await hmac(text), expected);
      assertEquals(await hmac(text), expected);
    });
  }
});
