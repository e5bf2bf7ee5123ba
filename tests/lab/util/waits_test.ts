import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createWaits } from "../../../src/lab/util/waits.ts";

const day = 24 * 60 * 60 * 1000;

/** Runs timers at once, and returns how long each of them would have taken. */
async function delaysOf(act: () => Promise<unknown>): Promise<number[]> {
  const { setTimeout } = globalThis;
  const delays: number[] = [];
  globalThis.setTimeout = ((run: () => void, delay: number) => {
    delays.push(delay);
    queueMicrotask(run);
    return 0;
  }) as unknown as typeof setTimeout;
  try {
    await act();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  return delays;
}

describe("Waits", () => {
  it("last as long as they should, though timers overflow after 24 days and end at once", async () => {
    const waits = createWaits();
    const delays = await delaysOf(() => waits.wait(60 * day));
    assertEquals(delays.reduce((sum, delay) => sum + delay), 60 * day);
    assertEquals(delays.every((delay) => delay < 2 ** 31), true);
    assertEquals(await delaysOf(() => waits.within(5, new Promise(() => {}))), [5]);
  });

  it("end at the release, however long they are", async () => {
    const waits = createWaits();
    const ended = Promise.all([waits.wait(Infinity), waits.wait(60 * day)]);
    waits.release();
    assertEquals((await ended).length, 2);
  });
});
