import type { UserConfig } from "./config.ts";
import type { Passwords } from "./passwords.ts";
import type { User } from "./rows.ts";

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
