import type { Store } from "../../src/server/store/store.ts";
import { type Kit, openStrictKit } from "./kit.ts";

const second = 1000;
const hour = 60 * 60 * second;

/** What the clock of a machine shows, where a server and its store are. */
interface MachineClock {
  now: number;
}

/** Lets a server do what is due, as a probe does. */
export async function maintain({ server: { context } }: Kit): Promise<void> {
  context.maintain();
  await context.background.idle();
}

/**
 * Sets the clock of a machine wrong before or after the start of a server, for less than an hour,
 * and returns the kinds of rows that are missing once the clock is right.
 */
export async function findSweptByJump(
  store: Store,
  clock: MachineClock,
  hours: number,
  when: string,
): Promise<string[]> {
  const start = () => openStrictKit({ store, now: () => clock.now });
  const run = async (kit: Kit, looks: number, pause: number) => {
    for (let look = 0; look < looks; look++) {
      clock.now += pause;
      await maintain(kit);
    }
  };
  const right = start();
  await run(right, 3, 0.5 * hour);
  const needed = { session: 12, "revoked-token": 25, "used-assertion": 30 };
  for (const [kind, ends] of Object.entries(needed)) {
    await store.put(kind, "needed", { value: null, expiresAt: clock.now + ends * hour });
  }
  clock.now += hours * hour;
  const wrong = when === "before" ? start() : right;
  await run(wrong, 5, 31 * second);
  await run(wrong, 1, 0.8 * hour);
  clock.now -= hours * hour;
  await run(when === "before" ? start() : right, 3, 0.5 * hour);
  const rows = await Promise.all(
    Object.keys(needed).map(async (kind) => await store.get(kind, "needed") ? [] : [kind]),
  );
  return rows.flat();
}
