import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoize } from "../../src/server/util/values/memoize.ts";

describe("A memoized function", () => {
  it("computes each result once, and an undefined one, too", () => {
    const computed: string[] = [];
    const lengthOf = memoize((text) => {
      computed.push(text);
      return text === "" ? undefined : text.length;
    }, 10);
    assertEquals(["a", "bb", "a", "", ""].map(lengthOf), [1, 2, 1, undefined, undefined]);
    assertEquals(computed, ["a", "bb", ""]);
  });

  it("Q5: remembers no long text", () => {
    let computed = 0;
    const count = memoize(() => ++computed, 2);
    assertEquals(["a", "b".repeat(256), "c".repeat(257)].map(count), [1, 2, 3]);
    assertEquals(["a", "b".repeat(256), "c".repeat(257)].map(count), [1, 2, 4]);
  });

  it("remembers no more results than it may", () => {
    let computed = 0;
    const count = memoize(() => ++computed, 2);
    assertEquals(["a", "b", "c", "c", "a"].map(count), [1, 2, 3, 3, 4]);
  });
});
