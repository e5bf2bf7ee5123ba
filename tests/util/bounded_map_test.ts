import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createBoundedMap } from "../../src/server/util/values/bounded_map.ts";

const names = ["a", "b", "c", "d", "e"];

/** Returns the names that a map holds. */
function namesIn(map: ReturnType<typeof createBoundedMap<number>>): string[] {
  return names.filter((name) => map.get(name) !== undefined);
}

describe("createBoundedMap", () => {
  it("Q5: takes a limited amount of memory, in names and values", () => {
    for (const [name, value] of [["", "v".repeat(1000)], ["n".repeat(1000), ""]] as const) {
      const map = createBoundedMap<string>(100_000);
      for (let n = 0; n < 100; n++) map.set(`${name}${n}`, value);
      const kept = Array.from({ length: 100 }, (_, n) => map.get(`${name}${n}`) !== undefined);
      assertEquals([kept.at(0), kept.at(-1)], [false, true]);
      assertEquals(kept.filter(Boolean).length, 46);
    }
  });

  it("Q5: holds nothing that is larger than it", () => {
    const map = createBoundedMap<string>(1000);
    map.set("a", "");
    map.set("b", "v".repeat(1000));
    assertEquals([map.get("a"), map.get("b")], [undefined, undefined]);
    map.set("a", "");
    assertEquals(map.get("a"), "");
  });

  it("drops the entry that was set first", () => {
    const map = createBoundedMap<number>(2, () => 1);
    for (const name of ["a", "b", "c"]) map.set(name, 1);
    assertEquals(namesIn(map), ["b", "c"]);
  });

  it("takes an entry that is set again for a new one", () => {
    const map = createBoundedMap<number>(2, () => 1);
    for (const name of ["a", "b", "a", "c"]) map.set(name, 1);
    assertEquals(namesIn(map), ["a", "c"]);
  });

  it("drops as a list in order would, whatever was set, dropped and deleted before", () => {
    const map = createBoundedMap<number>(3, () => 1);
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
