import { assertEquals } from "@std/assert";
import { base64url, jwtVerify } from "jose";
import { describe, it } from "node:test";
import { joinIntegers, nativeSigner } from "../../src/server/issuer/keys/signing_key.ts";
import type { SigningAlgorithm } from "../../src/server/model/signing.ts";
import { makeKeyPair } from "../support/key_pairs.ts";

const encoder = new TextEncoder();

const runtime = "Deno" in globalThis ? "Deno" : "Bun" in globalThis ? "Bun" : "Node";

describe("nativeSigner", () => {
  const cases: Array<[alg: SigningAlgorithm, runtimes: string[], signatures: number]> = [
    // Of 300 signatures, two or three have an integer that is shorter than the others.
    ["ES256", ["Bun", "Node"], 300],
    ["EdDSA", ["Bun", "Deno", "Node"], 10],
    ["RS256", ["Node"], 10],
    ["PS256", [], 0],
  ];
  for (const [alg, runtimes, signatures] of cases) {
    it(`signs ${alg} as RFC 7518, section 3, asks, where Web Crypto is slower`, async () => {
      const { privateJwk: jwk, publicKey } = await makeKeyPair(alg);
      const sign = nativeSigner(alg, jwk);
      assertEquals(sign !== undefined, runtimes.includes(runtime));
      for (let count = 0; sign && count < signatures; count++) {
        const header = base64url.encode(JSON.stringify({ alg }));
        const signed = `${header}.${base64url.encode(JSON.stringify({ count }))}`;
        const signature = base64url.encode(await sign(encoder.encode(signed)));
        assertEquals((await jwtVerify(`${signed}.${signature}`, publicKey)).payload, { count });
      }
    });
  }

  it("signs with RSA on another thread, so that requests need not wait in line", async () => {
    const sign = nativeSigner("RS256", (await makeKeyPair("RS256")).privateJwk);
    const signature = sign?.(encoder.encode("anything"));
    assertEquals(signature instanceof Promise, runtime === "Node");
    await signature;
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
