import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import type { Context } from "../context.ts";

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
