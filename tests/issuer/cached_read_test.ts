import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { createCachedRead } from "../../src/server/issuer/keys/stored_keys.ts";

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
  it("returns the value without waiting until it is older than the interval", async () => {
    const { state, cached } = openRead();
    assertEquals(await cached.current(), 1);
    state.now = interval - 1;
    assertEquals(cached.current(), 1);
    state.now = interval;
    assertEquals(await cached.current(), 2);
  });

  it("reads again after the clock was set back", async () => {
    const { state, cached } = openRead();
    state.now = 10 * interval;
    await cached.current();
    state.now = 0;
    assertEquals(await cached.current(), 2);
  });

  it("shares a reading among callers at the same time", async () => {
    const { cached } = openRead();
    assertEquals(await Promise.all([cached.current(), cached.current()]), [1, 1]);
    assertEquals(await Promise.all([cached.reread(), cached.reread()]), [2, 2]);
  });

  it("reads once more if a reading began before it was asked for", async () => {
    const { cached } = openRead();
    const earlier = cached.current();
    assertEquals([await cached.reread(), await earlier], [2, 1]);
  });

  it("keeps no failure, nor lets one stop a later reading", async () => {
    const { state, cached } = openRead();
    state.failure = new Error("The store is down.");
    const failing = assertRejects(async () => await cached.current(), Error, "down");
    const later = cached.reread().catch(() => "failed as well");
    await failing;
    assertEquals(await later, "failed as well");
    state.failure = undefined;
    assertEquals(await cached.current(), 3);
  });
});
