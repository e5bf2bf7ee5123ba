import { sessionOf } from "../server/issuer/authorizations/active_authorization.ts";
import { authorizationsOfUser } from "../server/issuer/authorizations/authorization_rows.ts";
import { revokeAuthorization } from "../server/issuer/authorizations/authorizations.ts";
import type { Context } from "../server/issuer/context.ts";
import { type AdminContext, recordChange } from "../server/issuer/directory/changes.ts";
import { AdminError } from "../server/issuer/records/lock.ts";
import type { Authorization } from "../server/issuer/records/rows.ts";
import { readUser } from "../server/issuer/users/users.ts";
import type { Extent } from "./extent.ts";

/**
 * Yields what all users allow clients, or one user, without what ended with a session: there may be
 * millions.
 */
export async function* list(ctx: Context, userName?: string): AsyncGenerator<Authorization> {
  const { batch, authorizations, endedSessions } = ctx.records;
  if (userName !== undefined) {
    const user = await readUser(ctx, userName);
    if (!user) return;
    for await (const each of authorizationsOfUser(ctx, user.subject)) {
      if (!await endedSessions.get(sessionOf(each) ?? "")) yield each;
    }
    return;
  }
  for await (const page of authorizations.pages()) {
    const ends = page.map(([, each]) => endedSessions.calls.get(sessionOf(each) ?? ""));
    const ended = await batch(...ends);
    yield* page.flatMap(([, each], at) => ended[at] ? [] : [each]);
  }
}

/** Finds an authorization. Throws if there is none. */
export async function show({ records }: Context, id: string): Promise<Authorization> {
  const authorization = await records.authorizations.find(id);
  if (!authorization) throw new AdminError(`There is no authorization '${id}'.`);
  return authorization;
}

/** Revokes an authorization; every token issued from it stops working immediately. */
export async function remove(ctx: AdminContext, id: string): Promise<Extent> {
  const authorization = await show(ctx, id);
  const { clientId, userName } = authorization;
  await recordChange(ctx, id, [`client ${clientId}`, `user ${userName}`]);
  await revokeAuthorization(ctx, authorization, "an operator removed it");
  return { authorizations: 1 };
}
