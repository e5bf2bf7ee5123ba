import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { byCodePoint, createOrderedIds } from "../../src/store/ordered_ids.ts";

/** Creates rows and their ordered ids, updated together as in a store. */
function openIds() {
  const rows = new Map<string, null>();
  const ids = createOrderedIds(rows);
  const change = (id: string, isThere: boolean) => {
    if (isThere && !rows.has(id)) ids.add(id);
    if (!isThere && rows.has(id)) ids.delete(id);
    if (isThere) rows.set(id, null);
    else rows.delete(id);
  };
  const all = () => ids.list({ limit: Infinity });
  return { rows, ids, change, all };
}

/** Creates pseudo-random numbers below a bound, the same in every run. */
function createDice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 1103515245 + 12345) & 0x7fffffff) % below;
}

describe("Ordered ids", () => {
  it("equal sorting, whatever is added and deleted between two lists", () => {
    const roll = createDice(7);
    const { rows, change, all } = openIds();
    for (let round = 0; round < 300; round++) {
      for (let n = roll(12); n > 0; n--) change(`${roll(60)}`, roll(2) === 0);
      assertEquals(all(), [...rows.keys()].sort());
    }
  });

  it("stay in order as thousands are added and deleted, and lists are rare", () => {
    const roll = createDice(8);
    const { rows, change, all } = openIds();
    for (let round = 0; round < 6; round++) {
      for (let n = 0; n < 3000; n++) change(`${roll(9000)}`, roll(6) > round);
      assertEquals(all(), [...rows.keys()].sort());
    }
  });

  it("are empty again once all are deleted", () => {
    const { rows, change, all } = openIds();
    for (let n = 0; n < 1000; n++) change(`${n}`, true);
    assertEquals(all().length, 1000);
    for (const id of [...rows.keys()]) change(id, false);
    assertEquals(all(), []);
    change("a", true);
    assertEquals(all(), ["a"]);
  });

  it("start after an id, whether or not its row exists", () => {
    const { ids, change } = openIds();
    for (const id of ["a", "c", "d"]) change(id, true);
    const after = (after: string, limit: number) => ids.list({ after, limit });
    assertEquals([after("b", 1), after("c", 5), after("d", 5)], [["c"], ["d"], []]);
  });

  it("of a range end in the middle of it, or in a later piece", () => {
    const { ids, change } = openIds();
    const all = Array.from({ length: 2000 }, (_, n) => `${10_000 + n}`);
    for (const id of all) change(id, true);
    const [after, before, limit] = ["10100", "11500", 5000];
    assertEquals(ids.list({ after, before, limit }), all.slice(101, 1500));
    assertEquals(ids.list({ after, before, limit: 700 }), all.slice(101, 801));
    assertEquals(ids.list({ after: "10099x", before: "10101", limit }), ["10100"]);
    assertEquals(ids.list({ after: "11500", limit }), all.slice(1501));
  });

  it("are found on both sides of ids that were all deleted", () => {
    const { rows, change, all } = openIds();
    for (let n = 0; n < 2000; n++) change(`${10_000 + n}`, true);
    assertEquals(all().length, 2000);
    for (let n = 500; n < 1500; n++) change(`${10_000 + n}`, false);
    for (let n = 0; n < 2000; n += 100) change(`${10_000 + n}x`, true);
    assertEquals(all(), [...rows.keys()].sort());
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
