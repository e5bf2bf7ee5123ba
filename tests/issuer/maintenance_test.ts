import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { createMaintenance } from "../../src/server/issuer/maintenance.ts";
import { openKit } from "../support/kit.ts";

/** Runs the maintenance of a server; `sweep` says how many rows were deleted. */
function openMaintenance(sweep: () => number) {
  const kit = openKit();
  const ctx = kit.server.context;
  const records = { ...ctx.records, sweep: async () => sweep() };
  const maintain = createMaintenance({ ...ctx, records });
  const countOf = (what: string) =>
    kit.events.filter((event) => event.type === "work.finished" && event.what === what).length;
  const run = async () => {
    maintain();
    await ctx.background.idle();
  };
  const swept = () => kit.events.filter(({ type }) => type === "rows.swept").length;
  return { kit, run, countOf, swept };
}

describe("Maintenance", () => {
  it("repeats a task as soon as its interval is over, and not before", async () => {
    const { kit, run, countOf } = openMaintenance(() => 0);
    const advance = async (milliseconds: number) => {
      kit.clock.now += milliseconds;
      await run();
      return [countOf("sweep"), countOf("changes")];
    };
    assertEquals(await advance(1999), [0, 0]);
    assertEquals(await advance(1), [0, 1]);
    assertEquals(await advance(8000), [0, 2]);
    assertEquals(await advance(19_999), [0, 3]);
    assertEquals(await advance(1), [1, 3]);
  });

  it("goes on at once while a batch of expired rows is full", async () => {
    const batches = [500, 500, 499, 0];
    const { kit, run, countOf, swept } = openMaintenance(() => batches.shift() ?? 0);
    kit.clock.now += 30_000;
    for (let times = 0; times < 5; times++) await run();
    assertEquals([countOf("sweep"), swept()], [1, 3]);
    kit.clock.now += 30_000;
    await run();
    assertEquals([countOf("sweep"), swept()], [2, 3]);
  });

  it("deletes 10,000 rows at a time, and goes on with the next request or look", async () => {
    const { kit, run, swept } = openMaintenance(() => 500);
    kit.clock.now += 30_000;
    await run();
    assertEquals(swept(), 20);
    await run();
    assertEquals(swept(), 40);
  });

  it("does not pause if the clock is set back", async () => {
    const { kit, run, countOf } = openMaintenance(() => 0);
    kit.clock.now -= 1;
    await run();
    assertEquals(countOf("sweep"), 1);
  });
});
