import { userSchema } from "../server/config/config_data.ts";
import { collectProblems } from "../server/config/problems.ts";
import { checkValue } from "../server/config/schema.ts";
import { checkGroups, checkUser, toUser, type UserConfig } from "../server/config/user_config.ts";
import { featuresOf } from "../server/issuer/active_features.ts";
import { containsClientId } from "../server/issuer/clients/clients.ts";
import type { Context } from "../server/issuer/context.ts";
import { type AdminContext, recordChange } from "../server/issuer/directory/changes.ts";
import { namesLock } from "../server/issuer/directory/directory_entries.ts";
import { randomId } from "../server/issuer/random.ts";
import { withLock } from "../server/issuer/records/lock.ts";
import { mapCall, type TableCall } from "../server/issuer/records/store_calls.ts";
import { forever } from "../server/issuer/records/table.ts";
import { claimPrefix, claimRowsOf, type UserKey } from "../server/issuer/users/claim_rows.ts";
import { completeClaimRows, isUsersValue } from "../server/issuer/users/find_users.ts";
import type { User } from "../server/model/user.ts";
import { findRemoval } from "./removed_users.ts";

const preferredName = "the name is the preferred_username of another user.";

/** What became of users that were to be added. */
export interface AddedUsers {
  added: number;
  /** How many were there already, by their name. */
  existing: number;
  /** Why others were not added, a sentence each. */
  problems: string[];
}

/** A user of a file: as in the configuration, and with passkeys. */
export interface MovedUser extends UserConfig {
  passkeys?: unknown;
}

/** Returns why a user cannot be added, whoever else there is. A hash may be another program's. */
export async function importProblems(
  ctx: Context,
  { passkeys, ...config }: MovedUser,
  hashProblem: (hash: string) => string | undefined,
): Promise<readonly string[]> {
  const { settings } = ctx;
  const { problems, report } = collectProblems();
  checkValue(userSchema, config, "", report);
  if (problems.length > 0) return problems;
  const { passwords } = settings.policies;
  const { passwordHash: hash, ...others } = config;
  checkUser(others, passwords, report);
  checkGroups(config.claims, report);
  if (config.password !== undefined) report("password", "must be hashed: hallpass password");
  const problem = hash && !passwords.isHash(hash) ? hashProblem(hash) : undefined;
  if (problem !== undefined) report("passwordHash", problem);
  if (passkeys === undefined) return problems;
  const ability = featuresOf(ctx).passkeys;
  if (ability) await ability.checkMoved(passkeys, report);
  else {report(
      "passkeys",
      "cannot be imported: this server offers none. See the setting 'passkeys'",
    );}
  return problems;
}

/** Records that many users are about to be added, as one change. */
export async function recordImport(ctx: AdminContext, from: string, count: number): Promise<void> {
  await recordChange(ctx, from, [`${count} users`]);
}

/**
 * Adds users, with a fixed number of round trips for all who have no passkeys. Those whose names
 * are taken are skipped, so that an import which was interrupted goes on where it ended.
 */
export async function addMany(
  ctx: AdminContext,
  configs: readonly MovedUser[],
): Promise<AddedUsers> {
  await completeClaimRows(ctx);
  // Reads the log of an earlier version, if that is still to be done.
  await findRemoval(ctx, "");
  return await withLock(ctx, namesLock, async () => {
    const suspects = await findSuspects(ctx, configs);
    const result: AddedUsers = { added: 0, existing: 0, problems: [] };
    const added: User[] = [];
    const seen = {
      names: new Set<string>(),
      subjects: new Set<string>(),
      otherNames: new Set<string>(),
    };
    for (const [at, config] of configs.entries()) {
      const { name, sub = name } = config;
      if (suspects[at]?.isTaken || seen.names.has(name)) {
        result.existing += 1;
        continue;
      }
      const others = preferredOther(name, config.claims);
      const problem = seenProblem(seen, { name, sub, others }) ??
        await problemOf(ctx, config, suspects[at]);
      if (problem !== undefined) {
        result.problems.push(notAdded(name, problem));
        continue;
      }
      const user = await makeUser(ctx, config);
      if (!user) {
        result.problems.push(notAdded(name, "its passkeys belong to another user."));
        continue;
      }
      seen.names.add(name);
      seen.subjects.add(sub);
      others.forEach((other) => seen.otherNames.add(other));
      added.push(user);
    }
    result.added = await writeAll(ctx, added);
    result.existing += added.length - result.added;
    return result;
  });
}

/** What the store has about a user, before anything more is read. */
interface Suspect {
  isTaken: boolean;
  /** Whether another user or client may be in the way. */
  isInTheWay: boolean;
}

async function findSuspects(ctx: Context, configs: readonly UserConfig[]): Promise<Suspect[]> {
  const { batch, clients, removedUsers, users, userClaims } = ctx.records;
  const found = (call: TableCall<unknown>) =>
    mapCall(call, (result) => Array.isArray(result) ? result.length > 0 : result !== undefined);
  const holders = async (key: UserKey, value: string) =>
    found(userClaims.calls.list(await claimPrefix(ctx, key, value)));
  const lists = await Promise.all(configs.map(async ({ name, sub = name, claims }) => [
    found(users.calls.get(name)),
    found(clients.calls.get(sub)),
    found(removedUsers.calls.get(name)),
    await holders("subject", sub),
    await holders("preferred_username", name),
    ...preferredOther(name, claims).map((other) => found(users.calls.get(other))),
  ]));
  const results = await batch(...lists.flat());
  const configured = await configuredNames(ctx);
  const isConfigured = (at: number) => namesOf(configs[at]).some((name) => configured.has(name));
  let next = 0;
  return lists.map(({ length }, at) => {
    const [isTaken = false, ...others] = results.slice(next, next += length);
    return { isTaken, isInTheWay: others.some(Boolean) || isConfigured(at) };
  });
}

function namesOf(config: UserConfig | undefined): string[] {
  if (!config) return [];
  const { name, sub = name, claims } = config;
  return [name, sub, ...preferredOther(name, claims)];
}

function preferredOther(name: string, claims: UserConfig["claims"] = {}): string[] {
  const { preferred_username: other } = claims;
  return typeof other === "string" && other !== name ? [other] : [];
}

/** Returns what the users and clients of the configuration are called, which are few. */
async function configuredNames({ settings }: Context): Promise<ReadonlySet<unknown>> {
  const users = await settings.users.all();
  const names = users.flatMap((
    { name, subject, claims },
  ) => [name, subject, claims.preferred_username]);
  return new Set([...names, ...settings.clients.list().map(({ id }) => id)]);
}

/** Returns why a user cannot be added next to others of the same file, which are not stored yet. */
function seenProblem(
  seen: Readonly<Record<"names" | "subjects" | "otherNames", ReadonlySet<string>>>,
  { name, sub, others }: { name: string; sub: string; others: readonly string[] },
): string | undefined {
  if (seen.subjects.has(sub)) return takenSubject(sub);
  if (seen.otherNames.has(name)) return preferredName;
  const taken = others.find((other) => seen.names.has(other));
  return taken === undefined ? undefined : takenName(taken);
}

/** Returns why a user cannot be added, of those that others may be in the way of. */
async function problemOf(
  ctx: Context,
  { name, sub = name, claims }: UserConfig,
  suspect: Suspect | undefined,
): Promise<string | undefined> {
  if (!suspect?.isInTheWay) return undefined;
  const { settings, records } = ctx;
  if (settings.users.has(name)) return "the configuration has a user of that name.";
  if (await isUsersValue(ctx, "subject", sub)) return takenSubject(sub);
  if (await containsClientId(ctx, [sub])) return `the 'sub' '${sub}' is the id of a client.`;
  if (await findRemoval(ctx, name) !== undefined) {
    return "a user of that name was removed in the last year: hallpass user add --reuse";
  }
  if (await isUsersValue(ctx, "preferred_username", name)) return preferredName;
  for (const other of preferredOther(name, claims)) {
    if (settings.users.has(other) || await records.users.get(other)) return takenName(other);
  }
  return undefined;
}

function takenSubject(sub: string): string {
  return `the 'sub' '${sub}' already belongs to another user.`;
}

function takenName(other: string): string {
  return `the preferred_username '${other}' is the name of another user.`;
}

function notAdded(name: string, problem: string): string {
  return `The user '${name}' was not added: ${problem}`;
}

/**
 * Makes a user, and stores the passkeys: before the user, so that an import which was interrupted
 * leaves no user without them.
 */
async function makeUser(
  ctx: Context,
  { passkeys, ...config }: MovedUser,
): Promise<User | undefined> {
  const user = {
    ...await toUser(config),
    instance: randomId(ctx),
    epoch: randomId(ctx),
    revision: randomId(ctx),
    ...config.passwordHash !== undefined && { passwordChangedAt: ctx.now() },
  };
  const ability = featuresOf(ctx).passkeys;
  return passkeys === undefined || !ability ? user : await ability.import(ctx, user, passkeys);
}

/** Writes what leads to users first, as for one user, and returns how many were new. */
async function writeAll(ctx: Context, added: readonly User[]): Promise<number> {
  const { batch, users, userClaims } = ctx.records;
  const rows = (await Promise.all(added.map((user) => claimRowsOf(ctx, user)))).flat();
  await batch(...rows.map(([id, row]) => userClaims.calls.put(id, row, forever)));
  const results = await batch(...added.map((user) => users.calls.add(user.name, user, forever)));
  return results.filter(Boolean).length;
}
