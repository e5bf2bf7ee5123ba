import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { createCachedRead } from "../../src/server/issuer/keys/stored_keys.ts";
import { itWith } from "../support/it_with.ts";

const it = itWith({ inRead: openRead });

const interval = 1000;

/** Reads how often it was read, and fails while it has a reason to. */
function openRead() {
  const state = { now: 0, reads: 0, failure: undefined as Error | undefined };
  const read = async () => {
    state.reads++;
    if (state.failure) throw state.failure;
    return state.reads;
  };
  return { state, cached: createCachedRead(read, { now: () => state.now, interval }) };
}

describe("A cached read", () => {
  it.inRead("returns the value without waiting until it is older than the interval", async ({ state, cached }) => {
    assertEquals(await cached.current(), 1);
    state.now = interval - 1;
    assertEquals(cached.current(), 1);
    state.now = interval;
    assertEquals(await cached.current(), 2);
  });

  it.inRead("reads again after the clock was set back", async ({ state, cached }) => {
    state.now = 10 * interval;
    await cached.current();
    state.now = 0;
    assertEquals(await cached.current(), 2);
  });

  it.inRead("shares a reading among callers at the same time", async ({ cached }) => {
    assertEquals(await Promise.all([cached.current(), cached.current()]), [1, 1]);
    assertEquals(await Promise.all([cached.reread(), cached.reread()]), [2, 2]);
  });

  it.inRead("reads once more if a reading began before it was asked for", async ({ cached }) => {
    const earlier = cached.current();
    assertEquals([await cached.reread(), await earlier], [2, 1]);
  });

  it.inRead("keeps no failure, nor lets one stop a later reading", async ({ state, cached }) => {
    state.failure = new Error("The store is down.");
    const failing = assertRejects(async () => await cached.current(), Error, "down");
    const later = cached.reread().catch(() => "failed as well");
    await failing;
    assertEquals(await later, "failed as well");
    state.failure = undefined;
    assertEquals(await cached.current(), 3);
  });
});
