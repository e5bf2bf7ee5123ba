import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { lazyModule } from "../../src/server/util/lazy_module.ts";

/** Returns a module that counts how often it was loaded, and fails the first times. */
function countedModule({ failures = 0 } = {}) {
  let loads = 0;
  const load = () => {
    loads++;
    if (loads <= failures) return Promise.reject(new Error("The module is missing."));
    return Promise.resolve({ double: (n: number) => 2 * n });
  };
  return { load, loads: () => loads };
}

describe("A module that loads late", () => {
  it("loads with the first call of a function, not when one is named", async () => {
    const { load, loads } = countedModule();
    const { double } = lazyModule(load);
    assertEquals(loads(), 0);
    assertEquals(await double(2), 4);
    assertEquals(loads(), 1);
  });

  it("loads once for many calls", async () => {
    const { load, loads } = countedModule();
    const module = lazyModule(load);
    assertEquals(await Promise.all([module.double(1), module.double(2)]), [2, 4]);
    assertEquals(loads(), 1);
  });

  it("loads again after a failure", async () => {
    const { double } = lazyModule(countedModule({ failures: 1 }).load);
    await assertRejects(() => double(1), Error, "The module is missing.");
    assertEquals(await double(1), 2);
  });
});
