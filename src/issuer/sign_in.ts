import { addressOf } from "../http/address.ts";
import type { Parameters } from "../protocol/parameters.ts";
import type { Context } from "./context.ts";
import type { User } from "./rows.ts";
import { findUser } from "./users.ts";

/** Learns who is signing in, and tells of it; too many wrong guesses are refused. */
export async function authenticateUser(ctx: Context, request: Request, form: Parameters): Promise<User | undefined> {
  const attempt = { of: `user ${form.get("username") ?? ""}`, from: addressOf(request) };
  ctx.throttle.check(attempt);
  const user = await ctx.config.policies.authenticate(form, {
    find: (name) => findUser(ctx, name),
    checkPassword: (form) => checkPassword(ctx, form),
  });
  if (user) return user;
  ctx.throttle.count(attempt);
  // A name that nobody bears is often a password in the wrong field.
  ctx.emit({ type: "sign_in.failed", user: (await findUser(ctx, form.get("username") ?? ""))?.name });
  return undefined;
}

/** By user name and password. */
async function checkPassword(ctx: Context, form: Parameters): Promise<User | undefined> {
  const user = await findUser(ctx, form.get("username") ?? "");
  const hash = user?.passwordHash ?? await hashOfNobody(ctx);
  const matches = await ctx.config.policies.passwords.verify(form.get("password") ?? "", hash);
  return user?.passwordHash && matches ? user : undefined;
}

const hashesOfNobody = new WeakMap<object, Promise<string>>();

/** An unknown user costs as much time as a wrong password, and so nobody learns who has an account. */
function hashOfNobody(ctx: Context): Promise<string> {
  const { passwords } = ctx.config.policies;
  const known = hashesOfNobody.get(passwords) ?? passwords.hash("nobody");
  hashesOfNobody.set(passwords, known);
  return known;
}
