import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createFairCache } from "../../src/server/issuer/limits/fair_cache.ts";

const bytes = 1000;

/** A cache with room for three entries and a half. */
function openCache() {
  const cache = createFairCache<number>(3.5 * bytes);
  const names = ["a", "b", "c", "d", "e"];
  return {
    cache,
    set: (name: string, sender?: string) => cache.set(name, 1, { bytes, sender }),
    kept: () => names.filter((name) => cache.get(name) !== undefined).join(""),
  };
}

describe("A fair cache", () => {
  it("Q5: drops the oldest entry of the sender whose entries take most", () => {
    const { set, kept } = openCache();
    for (const [name, sender] of [["a", "office"], ["b", "attacker"], ["c", "attacker"]] as const) {
      set(name, sender);
    }
    set("d", "attacker");
    assertEquals(kept(), "acd");
    set("e", "newcomer");
    assertEquals(kept(), "ade");
  });

  it("Q5: leaves an entry to the sender who added it, whoever replaces it", () => {
    const { set, kept } = openCache();
    set("a", "office");
    set("a", "attacker");
    for (const name of ["b", "c", "d", "e"]) set(name, "attacker");
    assertEquals(kept(), "ade");
  });

  it("Q5: counts what is deleted no longer, and senders without an address together", () => {
    const { cache, set, kept } = openCache();
    for (const name of ["a", "b", "c"]) set(name);
    cache.delete("b");
    cache.delete("b");
    set("d");
    assertEquals(kept(), "acd");
    set("e", "office");
    assertEquals(kept(), "cde");
  });

  it("Q5: holds nothing that is larger than it", () => {
    const { cache, set, kept } = openCache();
    cache.set("a", 1, { bytes: 4 * bytes, sender: "attacker" });
    assertEquals(kept(), "");
    set("b", "attacker");
    assertEquals(kept(), "b");
  });
});
