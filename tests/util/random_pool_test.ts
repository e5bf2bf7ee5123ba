import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { pooledRandomBytes, randomHex } from "../../src/server/util/crypto/random_pool.ts";

describe("pooledRandomBytes", () => {
  it("returns as many bytes as were asked for, more than the pool has as well", () => {
    for (const count of [0, 1, 16, 4095, 4096, 4097]) {
      assertEquals(pooledRandomBytes(count).length, count);
    }
  });

  it("never returns the same bytes twice", () => {
    const seen = new Set(Array.from({ length: 2000 }, () => pooledRandomBytes(16).join()));
    assertEquals(seen.size, 2000);
  });

  it("never returns bytes that were used: the pool is filled again", () => {
    const all = Array.from({ length: 200 }, () => pooledRandomBytes(100));
    assert(all.every((bytes) => bytes.some((byte) => byte !== 0)));
  });

  it("returns bytes of their own, which later calls do not change", () => {
    const bytes = pooledRandomBytes(32);
    const copy = [...bytes];
    for (let count = 0; count < 300; count++) pooledRandomBytes(32);
    assertEquals([...bytes], copy);
  });
});

describe("randomHex", () => {
  it("returns 32 digits", () => assertMatch(randomHex(), /^[\da-f]{32}$/));

  it("returns other digits each time, in the half that is an id, too", () => {
    const texts = Array.from({ length: 3000 }, () => randomHex().slice(16));
    assertEquals(new Set(texts).size, texts.length);
  });
});
