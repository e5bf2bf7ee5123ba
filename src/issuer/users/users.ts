import type { User } from "../../model/user.ts";
import type { Context } from "../context.ts";

/** Finds a person who may sign in, and whose tokens stand. */
export async function findUser(ctx: Context, name: string): Promise<User | undefined> {
  const user = await ctx.settings.users.get(name)?.() ?? await ctx.records.users.find(name);
  return user && !user.disabled ? user : undefined;
}
