import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { heldBytes } from "../../src/server/util/values/bounded_map.ts";

describe("The memory that a value takes", () => {
  it("Q5: is at least that of its texts, at two bytes a character", () => {
    const text = "t".repeat(1000);
    const values = [text, [text], { [text]: 1 }, { a: { b: [text] } }, new Map([[text, 1]])];
    const estimates = values.map(heldBytes);
    assertEquals(estimates.every((bytes) => bytes >= 2000 && bytes < 2500), true);
  });

  it("Q5: is that of its many parts, too, though each is small", () => {
    const count = 1000;
    const parts = Array.from({ length: count }, () => ({}));
    const form = new URLSearchParams("a&".repeat(count));
    assertEquals([parts, form].map((value) => heldBytes(value) > 64 * count), [true, true]);
  });

  it("Q5: is that of bytes, and next to nothing for anything else", () => {
    assertEquals(heldBytes(new Uint8Array(1000)), 1064);
    assertEquals([undefined, null, 1, true, () => {}].map(heldBytes), [0, 0, 0, 0, 0]);
  });
});
