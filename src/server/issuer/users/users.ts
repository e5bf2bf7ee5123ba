import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { isPromise } from "../../util/time/promises.ts";
import type { Context } from "../context.ts";

/** Finds a user, unless they are disabled. One of the configuration is there at once. */
export function findUser(ctx: Context, name: string): User | undefined | Promise<User | undefined> {
  const user = readUser(ctx, name);
  return isPromise(user) ? user.then(enabledUser) : enabledUser(user);
}

/** Finds a user, even a disabled one. The configuration comes first. */
export function readUser(
  { settings, records }: Context,
  name: string,
): User | Promise<User | undefined> {
  return settings.users.get(name) ?? records.users.find(name);
}

function enabledUser(user: User | undefined): User | undefined {
  return user?.disabled ? undefined : user;
}

/**
 * Returns the `sub` by which a client knows a user. A pairwise one cannot be linked across sectors
 * (OpenID Connect Core, section 8).
 */
export function subjectFor(
  ctx: Context,
  { subjectType, sector }: Client,
  user: User,
): string | Promise<string> {
  if (subjectType === "public") return user.subject;
  return ctx.keys.derive("subject", `${sector}\n${user.subject}`);
}

/**
 * Returns the `sid` by which a client knows a session. The same `sid` at every sector would link
 * pairwise subjects (OpenID Connect Core, section 8.1).
 */
export function sidFor(
  ctx: Context,
  { subjectType, sector }: Client,
  sid: string,
): string | Promise<string> {
  if (subjectType === "public") return sid;
  return ctx.keys.derive("session", `${sector}\n${sid}`);
}

/**
 * Whether something belongs to the current epoch of a user. What belongs to an earlier one has
 * ended, except in the session in which the user changed the password.
 */
export function isOfCurrentEpoch(
  { epoch, keptSession }: User,
  { userEpoch, sid }: { userEpoch?: string | undefined; sid?: string | undefined },
): boolean {
  return userEpoch === epoch || (sid !== undefined && sid === keptSession);
}

/** Returns the part of a scope that the policy of the configuration leaves to a client. */
export async function permittedScope(
  { settings: { policies } }: Context,
  user: User,
  { id, name, trusted }: Client,
  scope: readonly string[],
  occasion: "authorization" | "refresh",
): Promise<string[]> {
  if (!policies.scope) return [...scope];
  const permitted: unknown = await policies.scope(user, { id, name, trusted }, scope, occasion);
  const isPart = Array.isArray(permitted) && permitted.every((token) => scope.includes(token));
  // A policy that grants more than was requested is a mistake that must not pass silently.
  if (!isPart) {
    throw new TypeError("The scope policy must return a part of the scope that it gets.");
  }
  return scope.filter((token) => permitted.includes(token));
}
