import type { Claims } from "../protocol/claims.ts";
import type { UserConfig } from "./config.ts";
import type { Context } from "./context.ts";
import type { Passwords } from "./passwords.ts";

/** A person who can sign in. */
export interface User {
  /** What is typed at sign-in, and the name under which the person is found. */
  name: string;
  /** The subject identifier that clients see; it never changes (OpenID Connect Core, section 2). */
  subject: string;
  passwordHash?: string;
  claims: Claims;
  disabled: boolean;
}

/** Finds a person who may sign in and whose tokens stand. */
export async function findUser(ctx: Context, name: string): Promise<User | undefined> {
  const user = await ctx.config.users.get(name)?.() ?? (await ctx.records.users.get(name))?.value;
  return user && !user.disabled ? user : undefined;
}

/** Makes a user of what the operator wrote. */
export async function toUser(config: UserConfig, passwords: Passwords): Promise<User> {
  return {
    name: config.name,
    subject: config.sub ?? config.name,
    passwordHash: config.passwordHash ?? (config.password && await passwords.hash(config.password)),
    claims: config.claims ?? {},
    disabled: config.disabled ?? false,
  };
}
