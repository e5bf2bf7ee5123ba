import type { StoredPassword } from "../../issuer/active_features.ts";
import type { Context } from "../../issuer/context.ts";
import { updateRow } from "../../issuer/records/lock.ts";
import { findHashing } from "./hash_formats.ts";

/**
 * Verifies a password against the hash of another program, and then replaces the hash by our own:
 * the next sign-in needs no other function.
 */
export async function verifyImported(
  ctx: Context,
  user: StoredPassword,
  password: string,
): Promise<boolean> {
  const { passwordHash: imported } = user;
  const verify = findHashing(imported)?.verify;
  if (!verify || !await verify(password, imported)) return false;
  ctx.background.begin("password hash", async () => {
    const passwordHash = await ctx.settings.policies.passwords.hash(password);
    await updateRow(
      ctx.records.users,
      user.name,
      (stored) => stored.passwordHash === imported ? { ...stored, passwordHash } : undefined,
    );
  });
  return true;
}
