import { assertEquals } from "@std/assert";
import { base64url, exportJWK, generateKeyPair, jwtVerify } from "jose";
import { describe, it } from "node:test";
import { signNowWith } from "../../src/issuer/keys/sign_now.ts";
import type { SigningAlgorithm } from "../../src/model/signing.ts";

const encoder = new TextEncoder();

async function keyPair(alg: SigningAlgorithm) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { publicKey, jwk: await exportJWK(privateKey) };
}

describe("signNowWith", () => {
  for (const alg of ["ES256", "EdDSA"] as const) {
    it(`signs ${alg} as RFC 7518, section 3, asks, where the runtime is fast at it`, async () => {
      const { jwk, publicKey } = await keyPair(alg);
      const signNow = signNowWith(alg, jwk);
      if (!signNow) return assertEquals([alg, "Deno" in globalThis], ["ES256", true]);
      // Of 300 signatures, two or three have an integer that is shorter than the others.
      for (let count = 0; count < 300; count++) {
        const header = base64url.encode(JSON.stringify({ alg }));
        const signed = `${header}.${base64url.encode(JSON.stringify({ count }))}`;
        const signature = base64url.encode(signNow(encoder.encode(signed)));
        assertEquals((await jwtVerify(`${signed}.${signature}`, publicKey)).payload, { count });
      }
    });
  }

  it("leaves RSA to other threads, because it takes many times as long", async () => {
    assertEquals(signNowWith("RS256", (await keyPair("RS256")).jwk), undefined);
    assertEquals(signNowWith("PS256", (await keyPair("PS256")).jwk), undefined);
  });
});
