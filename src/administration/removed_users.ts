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
  const { adminChanges, completions, removedUsers } = ctx.records;
  // Earlier versions looked them up in the log of changes, which is read once.
  if (!await completions.find(completion)) {
    for await (const [, { command, target, at }] of adminChanges.each()) {
      if (command !== "user remove") continue;
      await removedUsers.put(target, at, at + changesKeptFor * 1000);
    }
    await completions.put(completion, { passes: 1, at: ctx.now() }, forever);
  }
  return await removedUsers.find(name);
}
