import type { Context } from "../server/issuer/context.ts";
import {
  type AdminContext,
  changesKeptFor,
  formatTime,
} from "../server/issuer/directory/changes.ts";
import { joinId } from "../server/issuer/records/row_id.ts";
import type { Completion } from "../server/issuer/records/rows.ts";
import { forever } from "../server/issuer/records/table.ts";
import { fromNow } from "../server/issuer/time.ts";
import { day, second } from "../server/util/time/duration.ts";

/** The row of `completions` about the users that earlier versions removed. */
const completion = "removed-user";

/** Ids in the log begin with a time, which clocks of others are behind or share, in milliseconds. */
const clockMargin = 10 * second * 1000;

/** For how long commands of an earlier version may still remove users, in milliseconds. */
const earlierCommandsFor = 1 * day * 1000;

/** Remembers the name of a user who is about to be removed, as long as the log of changes does. */
export async function rememberName(ctx: AdminContext, name: string): Promise<void> {
  if (!ctx.action) return;
  await ctx.records.removedUsers.put(name, ctx.now(), fromNow(ctx, changesKeptFor));
}

/** Finds when a user of this name was removed, in milliseconds. */
export async function findRemoval(ctx: Context, name: string): Promise<number | undefined> {
  const { completions, removedUsers } = ctx.records;
  const state = await completions.find(completion);
  if (state?.passes !== 2) await readRemovals(ctx, state);
  return await removedUsers.find(name);
}

/**
 * Reads them from the log of changes, where earlier versions looked them up, and for a day what
 * their commands have added to it since.
 */
async function readRemovals(ctx: Context, before?: Completion): Promise<void> {
  const { adminChanges, completions, removedUsers } = ctx.records;
  const { at: start, after: read } = before ?? { at: ctx.now() };
  let after = read;
  for await (const page of adminChanges.pages("", read)) {
    for (const [, { command, target, at }] of page) {
      if (command !== "user remove") continue;
      await removedUsers.put(target, at, at + changesKeptFor * 1000);
    }
    const last = page.at(-1)?.[1].at ?? 0;
    after = joinId(formatTime(last - clockMargin));
  }
  const passes = ctx.now() < start + earlierCommandsFor ? 1 : 2;
  await completions.put(completion, { passes, at: start, after }, forever);
}
