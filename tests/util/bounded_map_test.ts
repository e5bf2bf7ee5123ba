import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createBoundedMap } from "../../src/server/util/values/bounded_map.ts";

const names = ["a", "b", "c", "d", "e"];

/** Returns the names that a map holds. */
function namesIn(map: ReturnType<typeof createBoundedMap<number>>): string[] {
  return names.filter((name) => map.get(name) !== undefined);
}

describe("createBoundedMap", () => {
  it("drops the entry that was set first", () => {
    const map = createBoundedMap<number>(2);
    for (const name of ["a", "b", "c"]) map.set(name, 1);
    assertEquals(namesIn(map), ["b", "c"]);
  });

  it("takes an entry that is set again for a new one", () => {
    const map = createBoundedMap<number>(2);
    for (const name of ["a", "b", "a", "c"]) map.set(name, 1);
    assertEquals(namesIn(map), ["a", "c"]);
  });

  it("drops as a list in order would, whatever was set, dropped and deleted before", () => {
    const map = createBoundedMap<number>(3);
    let order: string[] = [];
    let seed = 1;
    for (let step = 0; step < 2000; step++) {
      seed = seed * 48271 % 2147483647;
      const name = names[seed % names.length] ?? "";
      order = order.filter((each) => each !== name);
      if (seed % 7 === 0) map.delete(name);
      else {
        map.set(name, step);
        order = [...order, name].slice(-3);
      }
      assertEquals(namesIn(map), [...order].sort());
    }
  });
});
