import type { MovedUser } from "../../../administration/import_users.ts";
import type { UserConfig } from "../../../server/config/user_config.ts";
import { featuresOf } from "../../../server/issuer/active_features.ts";
import type { User } from "../../../server/model/user.ts";
import type { StoreCall } from "../../administration/store_command.ts";

const usersAtOnce = 1000;

/** Prints the users of the store, as they are read: there may be millions. */
export async function exportUsers({ admin, ctx, invocation, terminal }: StoreCall): Promise<void> {
  const withPasswords = invocation.values.has("passwords");
  if (withPasswords) await admin.changes.record("users", ["with the hashes of their passwords"]);
  let lines: string[] = [];
  for await (const { from, value } of admin.users.list()) {
    if (from === "configuration") continue;
    const passkeys = await featuresOf(ctx).passkeys?.export(ctx, value);
    const exported: MovedUser = { ...configOf(value, withPasswords), ...passkeys && { passkeys } };
    lines.push(JSON.stringify(exported));
    if (lines.length < usersAtOnce) continue;
    terminal.print(lines.join("\n"));
    await terminal.flush();
    lines = [];
  }
  if (lines.length > 0) terminal.print(lines.join("\n"));
}

function configOf(
  { name, subject, passwordHash, claims, disabled }: User,
  withPasswords: boolean,
): UserConfig {
  return {
    name,
    ...subject !== name && { sub: subject },
    ...withPasswords && passwordHash !== undefined && { passwordHash },
    claims,
    ...disabled && { disabled },
  };
}
