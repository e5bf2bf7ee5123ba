import { openStore } from "../../src/program/operate/open_store.ts";
import { createRecords } from "../../src/server/issuer/records/records.ts";
import { day } from "../../src/server/util/time/duration.ts";
import type { SendLoad } from "./mixed_load.ts";
import type { SoakedServer } from "./soaked_server.ts";

/** What is left after one round of load. */
export interface Round {
  /** How many flows the load had. */
  flows: number;
  /** The heap when the load has stopped, in bytes. */
  heapAfterLoad: number;
  /** The heap after sweeping, in bytes. */
  heap: number;
  /** The memory of the process after sweeping, in bytes. */
  rss: number;
  /** The rows after sweeping, per table; undefined if the store is in the process. */
  rows?: Record<string, number> | undefined;
}

/** After so long, everything that a user or a client has made has expired. */
const longestLifetime = 100 * day * 1000;

/** How long sweeping may take, in milliseconds: slow machines exist. */
const sweepTimeout = 60_000;

/** Sends load for some milliseconds, lets everything expire, and measures what is left. */
export async function runRound(
  server: SoakedServer,
  send: SendLoad,
  { duration, store }: { duration: number; store: string },
): Promise<Round> {
  const end = performance.now() + duration;
  const flows = await send(() => performance.now() >= end);
  const { heapUsed: heapAfterLoad } = await server.memory();
  await sweepEverything(server);
  const { heapUsed: heap, rss } = await server.memory();
  return { flows, heapAfterLoad, heap, rss, rows: await countRows(store) };
}

/** Lets everything expire. A sweep that deletes less than a full batch is the last one. */
async function sweepEverything(server: SoakedServer): Promise<void> {
  const kit = server.kit("192.0.2.1");
  const fullBatch = 500;
  const end = performance.now() + sweepTimeout;
  server.takeLastSweep();
  await server.advance(longestLifetime);
  while ((server.takeLastSweep() ?? fullBatch) >= fullBatch) {
    if (performance.now() > end) throw new Error("The sweep does not come to an end.");
    // Sweeping begins after a request.
    await (await kit.get("/health")).arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Counts the rows of each table that has some. */
async function countRows(name: string): Promise<Record<string, number> | undefined> {
  if (name === "memory") return undefined;
  const store = await openStore(name, { isRealTime: true });
  try {
    // At the beginning of time, no row has expired yet.
    const { aheadOfStore: _ahead, sweep: _sweep, close: _close, ...tables } = createRecords(
      store,
      () => 0,
    );
    const counts: Record<string, number> = {};
    for (const [table, { list }] of Object.entries(tables)) {
      const { length } = await list();
      if (length > 0) counts[table] = length;
    }
    return counts;
  } finally {
    await store.close();
  }
}
