import { checkUser, toUser } from "../../config/make_user.ts";
import { collectProblems } from "../../config/problems.ts";
import { checkValue } from "../../config/schema.ts";
import { userSchema } from "../../config/schemas.ts";
import type { UserConfig } from "../../config/user_config.ts";
import type { User } from "../../model/user.ts";
import { revokeAuthorizationsOfUser } from "../authorizations/authorizations.ts";
import { withdrawConsents } from "../authorizations/consents.ts";
import type { Context } from "../context.ts";
import { randomId } from "../random.ts";
import { withLock } from "../records/lock.ts";
import { forever } from "../records/table.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import { findUser } from "../users/users.ts";
import {
  addStored,
  AdminError,
  checkUnused,
  findStored,
  listClients,
  listUsers,
  namesLock,
} from "./directory_entries.ts";

/** Adds a user to the store, under the same rules as in the configuration. */
export async function addUser(ctx: Context, config: UserConfig): Promise<User> {
  const { passwords } = ctx.settings.policies;
  const problems = collectProblems();
  checkValue(userSchema, config, "", problems.report);
  if (problems.paths().length === 0) checkUser(config, passwords, problems.report);
  problems.throwAny("add the user");
  await checkUnused("user", config.name, ctx.settings.users, ctx.records.users);
  const { password, ...others } = config;
  const passwordHash = config.passwordHash ?? (password && await passwords.hash(password));
  const user: User = {
    ...await toUser({ ...others, ...passwordHash !== undefined && { passwordHash } }),
    instance: randomId(ctx),
    epoch: randomId(ctx),
  };
  return await withLock(ctx, namesLock, async () => {
    await checkSubjectFree(ctx, user.subject);
    return await addStored("user", user.name, ctx.records.users, user);
  });
}

/**
 * Disables a user and ends everything that was issued for them, or enables them again. Enabling
 * brings nothing back.
 */
export async function disableUser(ctx: Context, name: string, disabled: boolean): Promise<void> {
  if (!disabled) return void await changeUser(ctx, name, (user) => ({ ...user, disabled }));
  await endAll(
    ctx,
    await changeUser(ctx, name, (user) => ({ ...user, disabled, epoch: randomId(ctx) })),
    "its user was disabled",
  );
}

/**
 * Gives a user a new password and ends everything that was issued under the old one, which an
 * attacker may have known.
 */
export async function setPassword(ctx: Context, name: string, password: string): Promise<void> {
  await findStored("user", name, ctx.settings.users, ctx.records.users);
  const passwordHash = await ctx.settings.policies.passwords.hash(password);
  const user = await changeUser(
    ctx,
    name,
    (before) => ({ ...before, passwordHash, epoch: randomId(ctx) }),
  );
  await endAll(ctx, user, "its user has a new password");
}

/** Signs a user out everywhere and revokes what was issued to their applications. */
export async function signOutUser(ctx: Context, name: string): Promise<void> {
  const configured = ctx.settings.users.has(name) ? await findUser(ctx, name) : undefined;
  const user = configured ??
    await changeUser(ctx, name, (before) => ({ ...before, epoch: randomId(ctx) }));
  await endAll(ctx, user, "an operator signed its user out");
}

/** Removes a user. The row goes last, so that an interrupted removal can be repeated. */
export async function removeUser(ctx: Context, name: string): Promise<void> {
  const user = await changeUser(
    ctx,
    name,
    (before) => ({ ...before, disabled: true, epoch: randomId(ctx) }),
  );
  await endAll(ctx, user, "its user was removed");
  await withdrawConsents(ctx, ({ subject }) => subject === user.subject);
  await withLock(ctx, lockOf(name), async () => {
    const storedUser = await ctx.records.users.find(name);
    if (storedUser?.instance === user.instance) await ctx.records.users.delete(name);
  });
}

function lockOf(name: string): string {
  return `user ${name}`;
}

/** Changes a user as they are now: two changes at once must not undo each other. */
async function changeUser(ctx: Context, name: string, change: (user: User) => User): Promise<User> {
  return await withLock(ctx, lockOf(name), async () => {
    const user = change(await findStored("user", name, ctx.settings.users, ctx.records.users));
    await ctx.records.users.put(name, user, forever);
    return user;
  });
}

/**
 * The new epoch has invalidated everything already. This cleans up and notifies the applications.
 */
async function endAll(ctx: Context, user: User, reason: string): Promise<void> {
  await endSessionsOf(ctx, user);
  await revokeAuthorizationsOfUser(ctx, user, reason);
}

/** A subject is never reassigned (OpenID Connect Core, section 2; RFC 9700, section 4.15). */
async function checkSubjectFree(ctx: Context, subject: string): Promise<void> {
  const users = await listUsers(ctx);
  if (users.some(({ value }) => value.subject === subject)) {
    throw new AdminError(`The 'sub' '${subject}' already belongs to another user.`);
  }
  const clients = await listClients(ctx);
  if (clients.some(({ value }) => value.id === subject)) {
    throw new AdminError(
      `The 'sub' '${subject}' is already the id of a client; choose another one.`,
    );
  }
}
