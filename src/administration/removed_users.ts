import type { Context } from "../server/issuer/context.ts";
import { type AdminContext, changesKeptFor } from "../server/issuer/directory/changes.ts";
import { forever } from "../server/issuer/records/table.ts";
import { fromNow } from "../server/issuer/time.ts";

/** The row of `completions` about the users that earlier versions removed. */
const completion = "removed-user";

/** Remembers the name of a user who is about to be removed, as long as the log of changes does. */
export async function rememberName(ctx: AdminContext, name: string): Promise<void> {
  if (!ctx.action) return;
  await ctx.records.removedUsers.put(name, ctx.now(), fromNow(ctx, changesKeptFor));
}

/** Finds when a user of this name was removed, in milliseconds. */
export async function findRemoval(ctx: Context, name: string): Promise<number | undefined> {
  const { completions, removedUsers } = ctx.records;
  if (!await completions.find(completion)) await readRemovals(ctx);
  return await removedUsers.find(name);
}

/** Reads them once from the log of changes, where earlier versions looked them up. */
async function readRemovals(ctx: Context): Promise<void> {
  const { adminChanges, completions, removedUsers } = ctx.records;
  for await (const [, { command, target, at }] of adminChanges.each()) {
    if (command === "user remove") {
      await removedUsers.put(target, at, at + changesKeptFor * 1000);
    }
  }
  await completions.put(completion, { passes: 1, at: ctx.now() }, forever);
}
