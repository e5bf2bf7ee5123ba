import { day, minute, second } from "../../util/time/duration.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import { joinId } from "../records/row_id.ts";
import type { AdminChange } from "../records/rows.ts";
import { fromNow } from "../time.ts";

/** What an administrator is doing. */
export interface AdminAction {
  /** The operating system's name of the user. */
  by: string;
  /** As typed: "client set". */
  command: string;
  /** The name of the configuration, for messages about what can be changed only there. */
  configuration?: string | undefined;
}

/** A context for changes. Without an action, as in a test, they are not recorded. */
export interface AdminContext extends Context {
  readonly action?: AdminAction;
}

/** How long changes are kept, in seconds. */
export const changesKeptFor = 365 * day;

/**
 * How far back a server looks for changes, in milliseconds. The clocks of two machines differ, and
 * a row may arrive later than its time.
 */
const overlap = 1 * minute * 1000;

/** The time between two looks, in milliseconds. */
export const changeReportInterval = 2 * second * 1000;

/**
 * Records a change that is about to be made and can no longer be refused. If the process ends
 * between the two, there is a record too many, and never one too few.
 */
export async function recordChange(
  ctx: AdminContext,
  target: string,
  details: string[] = [],
): Promise<void> {
  if (!ctx.action) return;
  const { by, command } = ctx.action;
  const at = ctx.now();
  await ctx.records.adminChanges.put(
    joinId(formatTime(at), randomId(ctx)),
    { at, by, command, target, details },
    fromNow(ctx, changesKeptFor),
  );
}

/** Lists the changes since a time in milliseconds, the oldest first. */
export async function listChanges(ctx: Context, since = 0): Promise<AdminChange[]> {
  const rows = await ctx.records.adminChanges.listAfter(joinId(formatTime(since)));
  return rows.map(([, change]) => change);
}

/**
 * Returns a task that emits an event for each change that was recorded since the last run, by this
 * process or another one.
 */
export function createChangeReport(startedAt: number): (ctx: Context) => Promise<void> {
  let reported = new Set<string>();
  let from = startedAt;
  return async (ctx) => {
    const now = ctx.now();
    const rows = await ctx.records.adminChanges.listAfter(joinId(formatTime(from)));
    for (const [id, { at, ...change }] of rows) {
      if (reported.has(id)) continue;
      ctx.emit({ type: "admin.changed", ...change, at: formatTime(at) });
    }
    reported = new Set(rows.map(([id]) => id));
    from = Math.max(startedAt, now - overlap);
  };
}

/** Formats a time as ids of changes begin with it: times in ISO 8601 sort as texts. */
function formatTime(time: number): string {
  return new Date(time).toISOString();
}
