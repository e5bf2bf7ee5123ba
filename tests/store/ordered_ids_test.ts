import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createOrderedIds } from "../../src/store/ordered_ids.ts";

/** Creates rows and their ordered ids, updated together as in a store. */
function openIds() {
  const rows = new Map<string, null>();
  const ids = createOrderedIds(rows);
  const change = (id: string, isThere: boolean) => {
    if (isThere) rows.set(id, null);
    else rows.delete(id);
    ids.touch(id);
  };
  return { rows, ids, change };
}

/** Creates pseudo-random numbers below a bound, the same in every run. */
function createDice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 1103515245 + 12345) & 0x7fffffff) % below;
}

describe("Ordered ids", () => {
  it("equals sorting, whatever is added and deleted between two lists", () => {
    const roll = createDice(7);
    const { rows, ids, change } = openIds();
    for (let round = 0; round < 300; round++) {
      for (let n = roll(12); n > 0; n--) change(`${roll(60)}`, roll(2) === 0);
      assertEquals(ids.after(undefined, 100), [...rows.keys()].sort());
    }
  });

  it("drops the order if lists are rare", () => {
    const { rows, ids, change } = openIds();
    change("a", true);
    ids.after(undefined, 1);
    for (let n = 0; n < 12_000; n++) change(`${n}`, true);
    assertEquals(ids.after(undefined, 20_000), [...rows.keys()].sort());
  });

  it("starts after an id, whether or not its row exists", () => {
    const { ids, change } = openIds();
    for (const id of ["a", "c", "d"]) change(id, true);
    assertEquals([ids.after("b", 1), ids.after("c", 5), ids.after("d", 5)], [["c"], ["d"], []]);
  });
});
