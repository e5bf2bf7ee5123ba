import { assert, assertEquals } from "@std/assert";
import { exportJWK, generateKeyPair, jwtVerify } from "jose";
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
      const signed = `${btoa(JSON.stringify({ alg }))}.${btoa("{}")}`.replaceAll("=", "");
      const signature = btoa(String.fromCharCode(...signNow(encoder.encode(signed))))
        .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
      assert(await jwtVerify(`${signed}.${signature}`, publicKey));
    });
  }

  it("leaves RSA to other threads, because it takes many times as long", async () => {
    assertEquals(signNowWith("RS256", (await keyPair("RS256")).jwk), undefined);
    assertEquals(signNowWith("PS256", (await keyPair("PS256")).jwk), undefined);
  });
});
