import type { Context } from "../server/issuer/context.ts";
import { type AdminContext, recordChange } from "../server/issuer/directory/changes.ts";
import { AdminError } from "../server/issuer/records/lock.ts";
import { idPrefix, joinId, splitId } from "../server/issuer/records/row_id.ts";
import type { Session } from "../server/issuer/records/rows.ts";
import { listSessions } from "../server/issuer/sessions/session_lists.ts";
import {
  belongsTo,
  hasSessionEnded,
  markSessionEnded,
} from "../server/issuer/sessions/sessions.ts";
import { findUsersBy } from "../server/issuer/users/find_users.ts";
import { findUser } from "../server/issuer/users/users.ts";

/** A session, and the clients that the user reached in it. */
export interface SessionEntry {
  session: Session;
  clientIds: string[];
}

/**
 * Lists the active sessions of a user, the most recent sign-in first, or those of every user, of
 * which there may be millions.
 */
export async function* list(ctx: Context, userName?: string): AsyncGenerator<SessionEntry> {
  if (userName === undefined) {
    for await (const page of ctx.records.userSessions.pages()) {
      const isListed = await Promise.all(page.map(([, session]) => isActive(ctx, session)));
      yield* await entriesFor(ctx, page.flatMap(([, each], at) => isListed[at] ? [each] : []));
    }
    return;
  }
  const user = await findUser(ctx, userName);
  if (user) yield* await entriesFor(ctx, await listSessions(ctx, user));
}

/** Ends a session, as if its user had signed out. */
export async function end(ctx: AdminContext, sid: string): Promise<void> {
  const session = await findByClients(ctx, sid) ?? await findAmongAll(ctx, sid);
  if (!session || !await isActive(ctx, session)) {
    throw new AdminError(`There is no session '${sid}'.`);
  }
  await recordChange(ctx, sid, [`user ${session.userName}`]);
  await markSessionEnded(ctx, session);
}

/** Finds a session by the subjects that its clients know. */
async function findByClients(ctx: Context, sid: string): Promise<Session | undefined> {
  const { sessionClients, userSessions } = ctx.records;
  for (const [, { subject }] of await sessionClients.list(idPrefix(sid))) {
    const isAny = () => true;
    for (const user of await findUsersBy(ctx, "subject", subject, isAny)) {
      const session = await userSessions.find(joinId(user.subject, sid));
      if (session) return session;
    }
  }
}

/** Finds a session in which no client was reached: the rows are listed by users. */
async function findAmongAll(ctx: Context, sid: string): Promise<Session | undefined> {
  for await (const [, session] of ctx.records.userSessions.each()) {
    if (session.sid === sid) return session;
  }
}

async function isActive(ctx: Context, session: Session): Promise<boolean> {
  if (await hasSessionEnded(ctx, session)) return false;
  const user = await findUser(ctx, session.userName);
  return user !== undefined && belongsTo(session, user);
}

async function entriesFor(
  { records: { batch, sessionClients } }: Context,
  sessions: readonly Session[],
): Promise<SessionEntry[]> {
  const lists = await batch(...sessions.map(({ sid }) => sessionClients.calls.list(idPrefix(sid))));
  return sessions.map((session, at) => ({
    session,
    clientIds: (lists[at] ?? []).map(([rowId]) => splitId(rowId)[1] ?? ""),
  }));
}
