import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createRing } from "../../../src/lab/recording/ring.ts";

/** A ring with room for three items of ten bytes. */
function openRing() {
  const ring = createRing<{ id: number }>({ count: 3, bytes: 35 });
  const ids = () => ring.list().map(({ id }) => id);
  return { ring, ids };
}

describe("A ring", () => {
  it("Q8: forgets the oldest items when there are too many, or they take too much", () => {
    const { ring, ids } = openRing();
    for (let id = 1; id <= 4; id++) ring.add({ id }, 1);
    assertEquals(ids(), [2, 3, 4]);
    ring.add({ id: 5 }, 34);
    assertEquals([ids(), ring.get(4), ring.get(5)], [[4, 5], { id: 4 }, { id: 5 }]);
  });

  it("Q8: counts what items take in addition, until they are forgotten", () => {
    const { ring, ids } = openRing();
    const items = [1, 2, 3].map((id) => ({ id }));
    for (const item of items) ring.add(item, 10);
    for (const item of items) ring.grow(item, 3);
    assertEquals(ids(), [2, 3]);
    ring.grow({ id: 1 }, 100);
    assertEquals(ids(), [2, 3]);
  });

  it("Q8: keeps the newest item, however large it is, and then begins anew", () => {
    const { ring, ids } = openRing();
    ring.add({ id: 1 }, 100);
    assertEquals(ids(), [1]);
    ring.add({ id: 2 }, 10);
    assertEquals(ids(), [2]);
    ring.clear();
    for (let id = 3; id <= 5; id++) ring.add({ id }, 10);
    assertEquals(ids(), [3, 4, 5]);
  });

  it("keeps what is apart in a room of its own, in one order", () => {
    const forgotten: number[] = [];
    const isApart = ({ id }: { id: number }) => id > 10;
    const limits = { count: 2, bytes: 35 };
    const ring = createRing<{ id: number }>(limits, ({ id }) => forgotten.push(id), isApart);
    for (const id of [1, 11, 2, 12, 13, 14]) ring.add({ id }, 1);
    assertEquals([ring.list().map(({ id }) => id), forgotten], [[1, 2, 13, 14], [11, 12]]);
    ring.add({ id: 3 }, 1);
    ring.clear(isApart);
    for (const id of [15, 16, 17, 4]) ring.add({ id }, 1);
    assertEquals(ring.list().map(({ id }) => id), [3, 16, 17, 4]);
  });
});
