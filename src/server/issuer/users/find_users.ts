import type { UserConfig } from "../../config/user_config.ts";
import type { User } from "../../model/user.ts";
import { once } from "../../util/time/promises.ts";
import { findClient } from "../clients/clients.ts";
import { type Context, serverPart } from "../context.ts";
import { idPrefix, splitId } from "../records/row_id.ts";
import { forever } from "../records/table.ts";
import {
  claimPrefix,
  claimRowsOf,
  normalizeValue,
  pairwiseRowCalls,
  type UserKey,
  userValues,
} from "./claim_rows.ts";
import { readUser, subjectFor } from "./users.ts";

/** How many users may share an address and still be told apart: each costs a call of the store. */
const maxSharing = 10;

/** The row of `completions` about these rows. */
const id = "user-claim";

/** After how many more users the first pass is reported again. */
const reportInterval = 10_000;

/**
 * Finds the users with an address, a number or a subject, disabled ones included, with a fixed
 * number of store calls. What more than ten users share leads to none of them. A row may be
 * outdated, so each user is compared.
 */
export async function findUsersBy(
  ctx: Context,
  key: UserKey,
  given: string,
  isSame: (user: User) => boolean | Promise<boolean> = (user) =>
    userValues(user).get(key) === normalizeValue(key, given),
  max = maxSharing,
): Promise<User[]> {
  await completeClaimRows(ctx);
  const value = normalizeValue(key, given);
  const names = new Set(configuredNames(ctx)().get(`${key} ${value}`));
  for await (const page of ctx.records.userClaims.pages(await claimPrefix(ctx, key, value))) {
    page.forEach(([, { name }]) => names.add(name));
    // The first one is more than enough.
    break;
  }
  if (names.size > max) return [];
  const users = await Promise.all([...names].map(async (name) => {
    const user = await readUser(ctx, name);
    return user && await isSame(user) ? user : undefined;
  }));
  return users.filter((user) => user !== undefined);
}

export async function isUsersValue(ctx: Context, key: UserKey, value: string): Promise<boolean> {
  return (await findUsersBy(ctx, key, value, undefined, Infinity)).length > 0;
}

/** Returns the names of the configured users by their values, from a map of the present ones. */
const configuredNames = serverPart(({ settings: { users } }) => {
  let mapped: readonly UserConfig[] | undefined;
  let names = new Map<string, string[]>();
  return () => {
    if (mapped !== users.list()) names = mapNames(mapped = users.list());
    return names;
  };
});

function mapNames(users: readonly UserConfig[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { name, sub: subject = name, claims = {} } of users) {
    for (const [key, value] of userValues({ subject, claims })) {
      const id = `${key} ${value}`;
      names.set(id, [...names.get(id) ?? [], name]);
    }
  }
  return names;
}

const firstPass = serverPart((ctx) =>
  once(async () => {
    const state = await ctx.records.completions.find(id);
    if (!state?.passes) await readAllUsers(ctx, state?.after);
  })
);

/**
 * Adds what leads to the users that an earlier version wrote, once for each store. Several servers
 * may do so at once, and one that was interrupted is continued.
 */
export const completeClaimRows = (ctx: Context): Promise<void> => firstPass(ctx)();

async function readAllUsers(ctx: Context, start?: string): Promise<void> {
  const { batch, users, userClaims, completions } = ctx.records;
  await addPairwiseRows(ctx, await ctx.settings.users.all());
  let [read, reported] = [0, 0];
  const report = () => void ctx.emit({ type: "users.indexed", users: reported = read });
  for await (const page of users.pages("", start)) {
    const rows = await Promise.all(page.map(([, user]) => claimRowsOf(ctx, user)));
    await batch(...rows.flat().map(([rowId, row]) => userClaims.calls.add(rowId, row, forever)));
    await addPairwiseRows(ctx, page.map(([, user]) => user));
    const after = page.at(-1)?.[0];
    if (after === undefined) continue;
    await completions.put(id, { passes: 0, at: ctx.now(), after }, forever);
    read += page.length;
    if (reported === 0 || read % reportInterval === 0) report();
  }
  if (read > reported) report();
  await completions.put(id, { passes: 1, at: ctx.now() }, forever);
}

/** Adds what leads from pairwise subjects to users, for each client that they have allowed. */
async function addPairwiseRows(ctx: Context, users: readonly User[]): Promise<void> {
  const { batch, consents, userAuthorizations } = ctx.records;
  const lists = await batch(...users.flatMap(({ subject }) => [
    consents.calls.list(idPrefix(subject)),
    userAuthorizations.calls.list(idPrefix(subject)),
  ]));
  for (const [at, user] of users.entries()) {
    const ids = lists.slice(2 * at, 2 * at + 2).flat().map(([rowId]) => splitId(rowId)[1] ?? "");
    for (const clientId of new Set(ids)) {
      const client = await findClient(ctx, clientId);
      if (client?.subjectType !== "pairwise") continue;
      await batch(...await pairwiseRowCalls(ctx, user, await subjectFor(ctx, client, user)));
    }
  }
}
