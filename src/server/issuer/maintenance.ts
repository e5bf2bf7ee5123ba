import type { ServerEvent } from "../config/events.ts";
import { second } from "../util/time/duration.ts";
import { featuresOf, type MaintenanceTask } from "./active_features.ts";
import type { Background, Context } from "./context.ts";
import { changeReportInterval, createChangeReport } from "./directory/changes.ts";
import { maintainKeys } from "./keys/rotate_keys.ts";
import { compareClocks, createSettledCheck } from "./store_clock.ts";

const rowsPerSweep = 500;

/** How often a task runs in a row that has more to do. A server that stops waits for it. */
const maxRuns = 20;

/**
 * Returns a function that starts the tasks that are due. It is called after requests and by what
 * operates the server: there is no timer here, and no request waits.
 */
export function createMaintenance(ctx: Context): () => void {
  const tasks: MaintenanceTask[] = [
    { name: "sweep", interval: 30 * second * 1000, run: createSweep() },
    { name: "keys", interval: 30 * second * 1000, run: maintainKeys },
    { name: "changes", interval: changeReportInterval, run: createChangeReport(ctx.now()) },
    ...featuresOf(ctx).tasks.filter(({ enabled }) => enabled?.(ctx) ?? true),
  ];
  const scheduled = tasks.map((task) => ({ task, lastRun: ctx.now() }));
  return () => {
    const now = ctx.now();
    for (const each of scheduled) {
      const elapsed = now - each.lastRun;
      // If the clock was set back, the task must not pause until the old time comes again.
      if (elapsed < 0 || elapsed >= each.task.interval) start(ctx, each);
    }
  };
}

export function createBackground(emit: (event: ServerEvent) => void): Background {
  const running = new Set<Promise<void>>();

  async function run(task: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      emit({ type: "work.finished", what: task });
    } catch (cause) {
      emit({ type: "work.failed", what: task, cause });
    }
  }

  return {
    begin(task, work) {
      const promise = run(task, work).finally(() => running.delete(promise));
      running.add(promise);
    },
    async idle() {
      // Work may start further work.
      while (running.size > 0) await Promise.all(running);
    },
  };
}

function start(ctx: Context, scheduled: { readonly task: MaintenanceTask; lastRun: number }): void {
  const { name, interval, run } = scheduled.task;
  scheduled.lastRun = ctx.now();
  ctx.background.begin(name, async () => {
    let runs = 1;
    while (await run(ctx) === "more" && runs < maxRuns) runs += 1;
    // Whatever comes next, a request or a look of an idle server, goes on with it.
    if (runs === maxRuns) scheduled.lastRun = ctx.now() - interval;
  });
}

/**
 * Returns a task that deletes expired rows, a batch at a time. A full batch means that there are
 * more. While the server's clock is wrong, it only reports that: it would delete rows that others
 * need. After a jump, it waits until the time has settled.
 */
function createSweep(): MaintenanceTask["run"] {
  let wasReported = false;
  const isSettled = createSettledCheck();
  return async (ctx) => {
    const { ahead, differs } = await compareClocks(ctx);
    if (differs && !wasReported) {
      ctx.emit({ type: "clock.differs", ahead: Math.round(ahead / 1000) });
    }
    wasReported = differs;
    if (!differs && await isSettled(ctx)) return await sweep(ctx, ctx.now() - Math.max(0, ahead));
  };
}

async function sweep({ records, emit }: Context, before: number): Promise<"more" | void> {
  const rows = await records.sweep(rowsPerSweep, before);
  if (rows > 0) emit({ type: "rows.swept", rows });
  if (rows === rowsPerSweep) return "more";
}
