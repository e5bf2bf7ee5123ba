import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { createCachedValue } from "../../src/resource/cached_value.ts";
import { itWith } from "../support/it_with.ts";

const it = itWith({ inValue: openValue });

const second = 1000;
const minute = 60 * second;

/** A cached value that counts how often it was loaded, and a clock. */
function openValue() {
  const state = { now: 0, loads: 0, fails: false };
  const cached = createCachedValue(() => state.now, async () => {
    state.loads++;
    if (state.fails) throw new Error("unreachable");
    return state.loads;
  });
  return { state, cached };
}

describe("A cached value", () => {
  it.inValue("is fetched once for requests that come together", async ({ state, cached }) => {
    assertEquals(await Promise.all([cached.get(), cached.get(), cached.renew()]), [1, 1, 1]);
    assertEquals(state.loads, 1);
  });

  it.inValue("is fetched again after ten minutes", async ({ state, cached }) => {
    assertEquals(await cached.get(), 1);
    state.now = 10 * minute - 1;
    assertEquals(await cached.get(), 1);
    state.now = 10 * minute;
    assertEquals(await cached.get(), 2);
  });

  it.inValue("is renewed at most every 30 seconds", async ({ state, cached }) => {
    assertEquals(await cached.get(), 1);
    state.now = 30 * second - 1;
    assertEquals(await cached.renew(), 1);
    state.now = 30 * second;
    assertEquals(await cached.renew(), 2);
  });

  it.inValue("is used for an hour while it cannot be fetched, and no longer", async ({ state, cached }) => {
    assertEquals(await cached.get(), 1);
    state.fails = true;
    state.now = 60 * minute - 1;
    assertEquals(await cached.get(), 1);
    state.now = 60 * minute;
    await assertRejects(() => cached.get(), Error, "unreachable");
    assertEquals(state.loads, 3);
  });

  it.inValue("S15: is fetched every five seconds while there is none, however many requests ask for it", async ({ state, cached }) => {
    state.fails = true;
    const askOften = async () => {
      for (let n = 0; n < 20; n++) await assertRejects(() => cached.get(), Error, "unreachable");
      return state.loads;
    };
    assertEquals(await askOften(), 1);
    state.now = 5 * second - 1;
    assertEquals(await askOften(), 1);
    state.now = 5 * second;
    assertEquals(await askOften(), 2);
    Object.assign(state, { now: 10 * second, fails: false });
    assertEquals([await cached.get(), await cached.get()], [3, 3]);
  });
});
