import type { Context } from "./context.ts";
import type { User } from "./rows.ts";

/** Finds a person who may sign in and whose tokens stand. */
export async function findUser(ctx: Context, name: string): Promise<User | undefined> {
  const user = await ctx.config.users.get(name)?.() ?? (await ctx.records.users.get(name))?.value;
  return user && !user.disabled ? user : undefined;
}
