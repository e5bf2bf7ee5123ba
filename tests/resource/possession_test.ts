import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createProofMemory } from "../../src/resource/possession.ts";

describe("The memory of an API for proofs", () => {
  it("forgets a proof that has expired", async () => {
    const clock = { now: 0 };
    const note = createProofMemory(() => clock.now);
    const expected = [true, true, false];
    assertEquals([await note("a", 1000), await note("b", 2000), await note("a", 1000)], expected);
    clock.now = 1000;
    assertEquals([await note("a", 3000), await note("b", 2000)], [true, false]);
  });
});
