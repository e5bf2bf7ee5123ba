import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { memoryStore } from "../../src/server/store/memory.ts";
import { byCodePoint } from "../../src/server/store/store.ts";

/** Creates pseudo-random numbers below a bound, the same in every run. */
function createDice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 1103515245 + 12345) & 0x7fffffff) % below;
}

describe("The memory store", () => {
  it("lists each page as if all ids were sorted, whatever was added and deleted", async () => {
    const roll = createDice(7);
    const [store, ids] = [memoryStore(), new Set<string>()];
    for (let round = 0; round < 200; round++) {
      for (let n = roll(30); n > 0; n--) {
        const id = `${roll(200)}`;
        await store.put("k", id, { value: null, expiresAt: 0 });
        ids.add(id);
      }
      const [gone, after, before, limit] = [
        `${roll(200)}`,
        `${roll(200)}`,
        `${roll(200)}`,
        roll(40),
      ];
      await store.delete("k", gone);
      ids.delete(gone);
      const sorted = [...ids].sort();
      const listed = async (options: object) =>
        (await store.list("k", { limit, ...options })).map(([id]) => id);
      assertEquals(await listed({}), sorted.slice(0, limit));
      assertEquals(await listed({ limit: Infinity }), sorted);
      assertEquals(await listed({ after }), sorted.filter((id) => id > after).slice(0, limit));
      const between = sorted.filter((id) => id > after && id < before);
      assertEquals(await listed({ after, before }), between.slice(0, limit));
    }
  });
});

describe("The order of ids", () => {
  it("is that of their UTF-8 bytes", () => {
    const sorted = ["", "a", "ab", "a\ud7ff", "\ud7ff", "\ue000", "\uffff", "\uffffa"].concat(
      ["\u{10000}", "\u{10000}a", "\u{10000}\uffff", "\u{10fffe}", "\u{10ffff}"],
    );
    for (const [at, id] of sorted.entries()) {
      const signs = sorted.map((other) => Math.sign(byCodePoint(id, other)));
      assertEquals(signs, sorted.map((_, other) => Math.sign(at - other)), id);
    }
  });
});
