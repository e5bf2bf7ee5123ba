import type { Context } from "../../server/issuer/context.ts";
import { listUsers } from "../../server/issuer/directory/directory_entries.ts";
import { randomId } from "../../server/issuer/random.ts";
import type { Session } from "../../server/issuer/records/rows.ts";
import { numericDate } from "../../server/issuer/time.ts";
import { findUser } from "../../server/issuer/users/users.ts";
import type { User } from "../../server/model/user.ts";

/** Finds a user by name or `sub`, even one who is disabled. */
export async function findSubject(ctx: Context, subject: string): Promise<User | undefined> {
  const named = await findUser(ctx, subject);
  if (named) return named;
  const users = (await listUsers(ctx)).map(({ value }) => value);
  return users.find((user) => user.name === subject || user.subject === subject);
}

/** Returns the session of a user who has just signed in with a password. */
export function newSession(ctx: Context, { name, subject }: User): Session {
  return {
    sid: randomId(ctx),
    userName: name,
    subject,
    authTime: numericDate(ctx),
    amr: ["pwd"],
  };
}
