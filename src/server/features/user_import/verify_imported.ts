import type { Context } from "../../issuer/context.ts";
import { updateRow } from "../../issuer/records/lock.ts";
import type { User } from "../../model/user.ts";
import { findHashing } from "./hash_formats.ts";

/**
 * Verifies a password against the hash of another program, and then replaces the hash by our own:
 * the next sign-in needs no other function.
 */
export async function verifyImported(
  ctx: Context,
  { name, passwordHash: imported = "" }: User,
  password: string,
): Promise<boolean> {
  const { problem, verify } = findHashing(imported) ?? {};
  if (!verify || problem?.(imported) || !await verify(password, imported)) {
    // Without this, a quick answer would reveal a user who has not signed in here yet.
    await ctx.settings.policies.passwords.hash(password);
    return false;
  }
  ctx.background.begin("password hash", async () => {
    const passwordHash = await ctx.settings.policies.passwords.hash(password);
    await updateRow(
      ctx.records.users,
      name,
      (stored) => stored.passwordHash === imported ? { ...stored, passwordHash } : undefined,
    );
  });
  return true;
}
