import type { UserConfig } from "../../config/user_config.ts";
import type { User } from "../../model/user.ts";
import { type Context, serverPart } from "../context.ts";
import { claimPrefix, normalize, type UserKey, userValues } from "./claim_rows.ts";
import { completeClaimRows } from "./complete_claim_rows.ts";
import { readUser } from "./users.ts";

/** How many users may share an address and still be told apart: each costs a call of the store. */
const maxSharing = 10;

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
    userValues(user).get(key) === normalize[key](given),
): Promise<User[]> {
  await completeClaimRows(ctx);
  const value = normalize[key](given);
  const names = new Set(configuredNames(ctx)().get(`${key} ${value}`));
  for await (const page of ctx.records.userClaims.pages(await claimPrefix(ctx, key, value))) {
    page.forEach(([, { name }]) => names.add(name));
    // The first one is more than enough.
    break;
  }
  if (names.size > maxSharing) return [];
  const users = await Promise.all([...names].map(async (name) => {
    const user = await readUser(ctx, name);
    return user && await isSame(user) ? user : undefined;
  }));
  return users.filter((user) => user !== undefined);
}

/** Returns the names of the configured users by their values, from a map of the present ones. */
const configuredNames = serverPart(({ settings: { parties: { users } } }) => {
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
