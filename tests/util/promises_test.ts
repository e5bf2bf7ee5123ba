import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { allOf } from "../../src/server/util/time/promises.ts";

describe("allOf", () => {
  it("returns values at once if none is a promise", () => {
    assertEquals(allOf([1, undefined, null, "then"]), [1, undefined, null, "then"]);
  });

  it("waits if one is a promise, even one of a library that replaces the global Promise", async () => {
    const foreign = { then: (resolve: (value: number) => void) => resolve(2) } as Promise<number>;
    assertEquals(await allOf([1, foreign, Promise.resolve(3)]), [1, 2, 3]);
  });
});
