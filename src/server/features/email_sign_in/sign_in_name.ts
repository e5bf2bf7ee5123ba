import type { Context } from "../../issuer/context.ts";
import { findUsersBy } from "../../issuer/users/find_users.ts";
import { findUser, readUser } from "../../issuer/users/users.ts";
import type { User } from "../../model/user.ts";

/** Case is ignored in these addresses alone: other letters have several lower cases, or none. */
const address = /^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/;

/**
 * Returns the name of the user who types a name or an address to sign in. A name wins. An address
 * must be verified, that of no other user, and nobody's name; otherwise it stays what was typed, so
 * that everything else takes the same course.
 */
export async function signInNameOf(
  ctx: Context,
  typed: string,
): Promise<[name: string, unverified?: User]> {
  if (!address.test(typed)) return [typed];
  const email = typed.toLowerCase();
  const [named, namedInLowerCase, sharing] = await Promise.all([
    findUser(ctx, typed),
    readUser(ctx, email),
    findUsersBy(ctx, "email", email),
  ]);
  // As many calls of the store as for an address that is a user's.
  if (sharing.length === 0) await readUser(ctx, typed);
  const [user] = sharing;
  const isOnly = user !== undefined && sharing.length === 1 && !named && !namedInLowerCase;
  if (!isOnly) return [typed];
  return hasVerified(user, email) ? [user.name] : [typed, user];
}

function hasVerified({ claims }: User, typed: string): boolean {
  const { email, email_verified } = claims;
  if (typeof email !== "string" || !address.test(email)) return false;
  return email.toLowerCase() === typed && email_verified === true;
}
