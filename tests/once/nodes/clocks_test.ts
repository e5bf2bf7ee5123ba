import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { modelStores } from "../../model/stores.ts";
import { findSweptByJump } from "../../support/clock_jump.ts";
import { type Kit, openStrictKit } from "../../support/kit.ts";

const hour = 60 * 60 * 1000;

/** The memory of a process has no clock that others share. */
const stores = modelStores.filter(({ name }) => name !== "memory");

/** Lets a server do what is due half a minute after its start, and returns whether it swept. */
async function maintain({ server: { context }, events }: Kit): Promise<string[]> {
  context.maintain();
  await context.background.idle();
  return events.map(({ type }) => type).filter((type) => /^(clock|rows|work\.failed)/.test(type));
}

describe("Servers on one store, with clocks of their own", () => {
  for (const { name, missing, open } of stores) {
    it(
      `R2: sweep only if their clock is that of the store: ${name}`,
      { skip: missing },
      async () => {
        const store = await open();
        const now = Date.now();
        await store.put("session", "of others", { value: {}, expiresAt: now + hour });
        await store.put("lock", "expired", { value: null, expiresAt: now - hour });
        const outcomes: string[][] = [];
        for (const ahead of [-40, -13, -1, 1, 13, 40]) {
          const clock = { passed: 0 };
          const kit = openStrictKit({ store, now: () => Date.now() + ahead * hour + clock.passed });
          clock.passed = 31 * 1000;
          outcomes.push(await maintain(kit));
        }
        assertEquals(outcomes, Array.from({ length: 6 }, () => ["clock.differs"]));
        assertEquals((await store.list("lock")).length, 1);
        // Other servers have long seen the same time.
        const note = { value: { at: Date.now(), since: 0 }, expiresAt: now + hour };
        await store.put("clock-note", "sweep", note);
        const clock = { passed: 0 };
        const kit = openStrictKit({ store, now: () => Date.now() + clock.passed });
        clock.passed = 31 * 1000;
        assertEquals(await maintain(kit), ["rows.swept"]);
        const left = [...await store.list("session"), ...await store.list("lock")];
        assertEquals(left.map(([id]) => id), ["of others"]);
        await store.close();
      },
    );

    it(
      `sweep nothing after a jump of both clocks that others need: ${name}`,
      { skip: missing },
      async () => {
        const store = await open();
        for (const hours of [-40, -13, 13, 40]) {
          for (const when of ["before", "after"]) {
            const clock = { now: Date.now() };
            const jumping = { ...store, now: async () => clock.now };
            assertEquals(await findSweptByJump(jumping, clock, hours, when), [], `${hours}`);
            await store.delete("clock-note", "sweep");
          }
        }
        await store.close();
      },
    );
  }
});
