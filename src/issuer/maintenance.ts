import type { Context } from "./context.ts";
import { maintainKeys } from "./keys/rotate_keys.ts";
import { deliverLogouts } from "./sessions/logout_deliveries.ts";

/** Work that has to be done now and then. */
interface MaintenanceTask {
  what: string;
  /** So long it rests, in milliseconds, unless there is more to do at once. */
  pause: number;
  run(ctx: Context): Promise<"more" | void>;
}

const maintenanceTasks: readonly MaintenanceTask[] = [
  { what: "sweep", pause: 30_000, run: sweep },
  { what: "keys", pause: 30_000, run: maintainKeys },
  { what: "logout", pause: 10_000, run: deliverLogouts },
];

/** Begins the chores that are due, after requests: there is no timer, and no request waits for it. */
export function createMaintenance(ctx: Context): () => void {
  const scheduled = maintenanceTasks.map((chore) => schedule(ctx, chore));
  return () => {
    for (const beginIfDue of scheduled) beginIfDue();
  };
}

function schedule(ctx: Context, { what, pause, run }: MaintenanceTask): () => void {
  let last = ctx.now();
  return () => {
    const rested = ctx.now() - last;
    // A clock that was put back must not make it rest until the old time comes again.
    if (rested >= 0 && rested < pause) return;
    last = ctx.now();
    ctx.background.begin(what, async () => {
      if (await run(ctx) === "more") last = ctx.now() - pause;
    });
  };
}

/** In rows. */
const batch = 500;

/** Deletes expired rows, a batch at a time; a full batch means that there is more. */
async function sweep({ records, emit }: Context): Promise<"more" | void> {
  const rows = await records.sweep(batch);
  if (rows > 0) emit({ type: "rows.swept", rows });
  if (rows === batch) return "more";
}
