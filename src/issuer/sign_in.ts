import type { Parameters } from "../protocol/parameters.ts";
import type { User } from "../protocol/user.ts";
import type { Context } from "./context.ts";
import { findUser } from "./users.ts";

/** Learns who is signing in, from what the form brings. */
export async function authenticateUser(ctx: Context, request: Request, form: Parameters): Promise<User | undefined> {
  const name = form.get("username") ?? "";
  const known = {
    find: (name: string) => findUser(ctx, name),
    checkPassword: (form: Parameters) => checkPassword(ctx, form),
  };
  const user = await ctx.throttle.guard({ of: `user ${name}`, from: ctx.addressOf(request) }, async () => {
    const found = await ctx.settings.policies.authenticate(form, known);
    return { found, wrongSecret: found === undefined };
  });
  // A name that nobody bears may be a password in the wrong field.
  if (!user) ctx.emit({ type: "sign_in.failed", user: (await findUser(ctx, name))?.name });
  return user;
}

/** An unknown user costs as much time as a wrong password: neither may tell who has an account. */
async function checkPassword(ctx: Context, form: Parameters): Promise<User | undefined> {
  const { passwords } = ctx.settings.policies;
  const password = form.get("password") ?? "";
  const user = await findUser(ctx, form.get("username") ?? "");
  return await ctx.passwordLimit(async () => {
    if (user?.passwordHash) return await passwords.verify(password, user.passwordHash) ? user : undefined;
    await passwords.hash(password);
    return undefined;
  });
}
