import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { randomHex } from "../../src/util/random_hex.ts";

describe("Random hexadecimal digits", () => {
  it("come in groups of eight", () => {
    for (const groups of [1, 2, 4]) {
      assert(new RegExp(`^[\\da-f]{${8 * groups}}$`).test(randomHex(groups)));
    }
  });

  it("differ, also when the pool is used up", () => {
    const texts = Array.from({ length: 3000 }, () => randomHex(2));
    assertEquals(new Set(texts).size, texts.length);
  });
});
