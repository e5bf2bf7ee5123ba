import { assertEquals } from "@std/assert";
import { base64url, exportJWK, generateKeyPair, jwtVerify } from "jose";
import { describe, it } from "node:test";
import { joinIntegers, signNowWith } from "../../src/issuer/keys/sign_now.ts";
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

describe("joinIntegers (RFC 7518, section 3.4)", () => {
  const filled = (length: number, value: number) => Array.from({ length }, () => value);
  const der = (...integers: number[][]) => {
    const parts = integers.flatMap((integer) => [0x02, integer.length, ...integer]);
    return Uint8Array.from([0x30, parts.length, ...parts]);
  };

  const cases: Array<[what: string, integers: [number[], number[]], expected: number[]]> = [
    ["of full length", [filled(32, 1), filled(32, 2)], [...filled(32, 1), ...filled(32, 2)]],
    [
      "with a zero before a bit that would be a sign",
      [[0, ...filled(32, 0x81)], [0, ...filled(32, 0x82)]],
      [...filled(32, 0x81), ...filled(32, 0x82)],
    ],
    [
      "without leading zeros",
      [filled(31, 1), filled(1, 2)],
      [0, ...filled(31, 1), ...filled(31, 0), 2],
    ],
  ];
  for (const [what, integers, expected] of cases) {
    it(`joins integers ${what}`, () => {
      assertEquals([...joinIntegers(der(...integers))], expected);
    });
  }
});
