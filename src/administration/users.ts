import { userSchema } from "../server/config/config_data.ts";
import { collectProblems } from "../server/config/problems.ts";
import { checkValue } from "../server/config/schema.ts";
import { checkGroups, checkUser, toUser, type UserConfig } from "../server/config/user_config.ts";
import { featuresOf } from "../server/issuer/active_features.ts";
import { deleteLeadingRows } from "../server/issuer/authorizations/authorization_rows.ts";
import { revokeAuthorizationsOfUser } from "../server/issuer/authorizations/authorizations.ts";
import { withdrawConsents } from "../server/issuer/authorizations/consents.ts";
import { containsClientId } from "../server/issuer/clients/clients.ts";
import type { Context } from "../server/issuer/context.ts";
import { type AdminContext, recordChange } from "../server/issuer/directory/changes.ts";
import {
  addStored,
  changeStored,
  checkUnused,
  deleteStored,
  type DirectoryEntry,
  findEntry,
  findStored,
  namesLock,
  placeOfUser,
} from "../server/issuer/directory/directory_entries.ts";
import { randomId } from "../server/issuer/random.ts";
import { AdminError, withLock } from "../server/issuer/records/lock.ts";
import { endSessionsOf } from "../server/issuer/sessions/sessions.ts";
import { isUsersValue } from "../server/issuer/users/find_users.ts";
import { findUser, readUser } from "../server/issuer/users/users.ts";
import type { User } from "../server/model/user.ts";
import { extentOfUser } from "./count_extent.ts";
import { describeExtent, describeWithExtent, type Extent } from "./extent.ts";
import { findRemoval, rememberName } from "./removed_users.ts";
import { checkPreferredName } from "./user_claims.ts";

export {
  /** Yields every user, disabled ones included. */
  eachUser as list,
} from "../server/issuer/directory/directory_entries.ts";

const signedOut = "an operator signed its user out";

/** Finds a user of the configuration or the store, and counts what they have. */
export async function show(
  ctx: AdminContext,
  name: string,
): Promise<DirectoryEntry<User> & { extent: Extent }> {
  const entry = await findEntry(placeOfUser(ctx, name));
  return { ...entry, extent: await extentOfUser(ctx, entry.value) };
}

/** Whether there is a user of this name, even a disabled one. */
export async function exists(ctx: AdminContext, name: string): Promise<boolean> {
  return await readUser(ctx, name) !== undefined;
}

/** Describes a user of the store with what would be removed: "the user 'ada' with 2 sessions". */
export async function describe(ctx: AdminContext, name: string): Promise<string> {
  const user = await findStored(ctx, placeOfUser(ctx, name));
  return describeWithExtent(`the user '${name}'`, await extentOfUser(ctx, user));
}

/**
 * Adds a user to the store, under the same rules as in the configuration. With `reusesName`, the
 * name may be that of a user who was removed.
 */
export async function add(
  ctx: AdminContext,
  config: UserConfig,
  { reusesName = false }: { reusesName?: boolean } = {},
): Promise<User> {
  const { passwords } = ctx.settings.policies;
  const problems = collectProblems();
  checkValue(userSchema, config, "", problems.report);
  problems.throwAny("add the user");
  checkUser(config, passwords, problems.report);
  checkGroups(config.claims, problems.report);
  problems.throwAny("add the user");
  const place = placeOfUser(ctx, config.name);
  await checkUnused(ctx, place);
  if (!reusesName) await checkNeverUsed(ctx, config.name);
  await checkPreferredName(ctx, config.name, config.claims ?? {});
  const { password, ...others } = config;
  const passwordHash = config.passwordHash ?? (password && await passwords.hash(password));
  const user: User = {
    ...await toUser({ ...others, ...passwordHash !== undefined && { passwordHash } }),
    instance: randomId(ctx),
    ...newEpoch(ctx),
    ...passwordHash !== undefined && { passwordChangedAt: ctx.now() },
  };
  return await withLock(ctx, namesLock, async () => {
    await checkFree(ctx, user);
    return await addStored(ctx, place, user);
  });
}

/** Disables a user and ends everything that was issued for them. */
export async function disable(ctx: AdminContext, name: string): Promise<void> {
  const user = await changeStored(ctx, placeOfUser(ctx, name), (before) => {
    return { ...before, disabled: true, passwordLink: undefined, ...newEpoch(ctx) };
  });
  await endAll(ctx, user, "its user was disabled");
}

/** Enables a user again; what ended stays ended. */
export async function enable(ctx: AdminContext, name: string): Promise<void> {
  await changeStored(ctx, placeOfUser(ctx, name), (before) => ({ ...before, disabled: false }));
}

/**
 * Gives a user a new password and ends everything that was issued under the old one, which an
 * attacker may have known.
 */
export async function setPassword(
  ctx: AdminContext,
  name: string,
  password: string,
): Promise<void> {
  const place = placeOfUser(ctx, name);
  await findStored(ctx, place);
  const passwordHash = await ctx.settings.policies.passwords.hash(password);
  const user = await changeStored(ctx, place, (before) => {
    const changed = { passwordHash, passwordChangedAt: ctx.now(), passwordLink: undefined };
    return { ...before, ...changed, ...newEpoch(ctx) };
  });
  await endAll(ctx, user, "its user has a new password");
}

/**
 * Signs a user out everywhere and revokes what was issued to their applications. Returns what
 * ended.
 */
export async function signOut(ctx: AdminContext, name: string): Promise<Extent> {
  // A user of the configuration has no row to change, but can be signed out all the same.
  const user = await findUser(ctx, name) ?? await findStored(ctx, placeOfUser(ctx, name));
  const { consents: _, passkeys: _kept, ...extent } = await extentOfUser(ctx, user);
  if (ctx.settings.users.has(name)) {
    await recordChange(ctx, name, [describeExtent(extent)]);
    await endAll(ctx, user, signedOut);
    return extent;
  }
  const changed = await changeStored(
    ctx,
    placeOfUser(ctx, name),
    (before) => ({ ...before, ...newEpoch(ctx) }),
    () => [describeExtent(extent)],
  );
  await endAll(ctx, changed, signedOut);
  return extent;
}

/**
 * Removes a user, and returns what went with them. The row goes last, so that an interrupted
 * removal can be repeated.
 */
export async function remove(ctx: AdminContext, name: string): Promise<Extent> {
  const place = placeOfUser(ctx, name);
  const extent = { users: 1, ...await extentOfUser(ctx, await findStored(ctx, place)) };
  const user = await changeStored(
    ctx,
    place,
    (before) => ({ ...before, disabled: true, ...newEpoch(ctx) }),
    () => [describeExtent(extent)],
  );
  await endAll(ctx, user, "its user was removed");
  await withdrawConsents(ctx, { subject: user.subject });
  await deleteLeadingRows(ctx, user.subject);
  await featuresOf(ctx).passkeys?.forget(ctx, user);
  await rememberName(ctx, name);
  await deleteStored(ctx, place, user);
  return extent;
}

/** Returns what begins an epoch of a user: what was issued to them before is not active. */
function newEpoch(ctx: Context): Pick<User, "epoch" | "keptSession"> {
  return { epoch: randomId(ctx), keptSession: undefined };
}

/**
 * The new epoch has invalidated everything already. This cleans up and notifies the applications.
 */
async function endAll(ctx: Context, user: User, reason: string): Promise<void> {
  await endSessionsOf(ctx, user);
  await revokeAuthorizationsOfUser(ctx, user, reason);
}

/**
 * Applications that know users by the claim `preferred_username` would give a new user what belongs
 * to the former one. Removals are remembered as long as the log of changes.
 */
async function checkNeverUsed(ctx: Context, name: string): Promise<void> {
  const removedAt = await findRemoval(ctx, name);
  if (removedAt === undefined) return;
  const day = new Date(removedAt).toISOString().slice(0, 10);
  throw new AdminError(
    `There was a user '${name}' until ${day}, whose data applications may give to a new one of ` +
      "that name. Choose another name, or --reuse this one.",
  );
}

/** A subject is never reassigned (OpenID Connect Core, section 2; RFC 9700, section 4.15). */
async function checkFree(ctx: Context, { name, subject }: User): Promise<void> {
  if (await isUsersValue(ctx, "preferred_username", name)) {
    throw new AdminError(`The name '${name}' is the preferred_username of another user.`);
  }
  if (await isUsersValue(ctx, "subject", subject)) {
    throw new AdminError(`The 'sub' '${subject}' already belongs to another user.`);
  }
  if (await containsClientId(ctx, [subject])) {
    throw new AdminError(
      `The 'sub' '${subject}' is already the id of a client; choose another one.`,
    );
  }
}
