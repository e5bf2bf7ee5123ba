import type { User } from "../../protocol/user.ts";
import type { UserConfig } from "../../config/user_config.ts";
import { userShape } from "../../config/config_shape.ts";
import { collectProblems } from "../../config/problems.ts";
import { checkUser, toUser } from "../../config/user_config.ts";
import { revokeAuthorizations } from "../authorizations/authorizations.ts";
import { withdrawConsents } from "../authorizations/consents.ts";
import type { Context } from "../context.ts";
import { addStored, findStored, listClients, listUsers, refuseKnown } from "./known.ts";
import { Refused } from "./refused.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { forever } from "../records/table.ts";

/** Adds a user to the store, if the configuration could hold them as well. */
export async function addUser(ctx: Context, config: UserConfig): Promise<User> {
  const { passwords } = ctx.settings.policies;
  const problems = collectProblems();
  userShape(config, "", problems.report);
  if (problems.paths().length === 0) checkUser(config, passwords, problems.report);
  problems.throwAny("add the user");
  await refuseKnown("user", config.name, ctx.settings.users, ctx.records.users);
  const { password, ...others } = config;
  const user = await toUser({ ...others, passwordHash: config.passwordHash ?? (password && await passwords.hash(password)) });
  await refuseTaken(ctx, user.subject);
  return await addStored("user", user.name, ctx.records.users, user);
}

/** Disables a user, which makes every token of theirs void, or enables them again. */
export async function disableUser(ctx: Context, name: string, disabled: boolean): Promise<void> {
  const user = await findStored("user", name, ctx.settings.users, ctx.records.users);
  await ctx.records.users.put(name, { ...user, disabled }, forever);
}

/** Gives a user another password. Where they are signed in, they stay signed in. */
export async function setPassword(ctx: Context, name: string, password: string): Promise<void> {
  const user = await findStored("user", name, ctx.settings.users, ctx.records.users);
  const passwordHash = await ctx.settings.policies.passwords.hash(password);
  await ctx.records.users.put(name, { ...user, passwordHash }, forever);
}

/** Removes a user. What they allowed goes too: it must not come back with somebody else of the same name. */
export async function removeUser(ctx: Context, name: string): Promise<void> {
  const { subject } = await findStored("user", name, ctx.settings.users, ctx.records.users);
  await ctx.records.users.delete(name);
  await revokeAuthorizations(ctx, ({ userName }) => userName === name, "its user was removed");
  await withdrawConsents(ctx, (consent) => consent.subject === subject);
  await endSessionsOf(ctx, name);
}

/** A subject names one person or one client, and nobody else ever (OpenID Connect Core, section 2; RFC 9700, section 4.15). */
async function refuseTaken(ctx: Context, subject: string): Promise<void> {
  const users = await listUsers(ctx);
  if (users.some(({ value }) => value.subject === subject)) throw new Refused(`The 'sub' '${subject}' is another user's already.`);
  const clients = await listClients(ctx);
  if (clients.some(({ value }) => value.id === subject)) {
    throw new Refused(`The 'sub' '${subject}' is the id of a client; choose another one.`);
  }
}
