import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { idPrefix, splitId } from "../records/row_id.ts";
import type { Session } from "../records/rows.ts";
import { belongsTo, markSessionEnded } from "./sessions.ts";

/** Lists the active sessions of a user, the most recent sign-in first, up to a number of them. */
export async function listSessions(
  ctx: Context,
  user: User,
  max: number = Infinity,
): Promise<Session[]> {
  const sessions: Session[] = [];
  for await (const page of sessionsOf(ctx, user)) sessions.push(...page);
  return sessions.toSorted((one, other) => other.authTime - one.authTime).slice(0, max);
}

/** Yields the active sessions of a user, a page at a time. */
export async function* sessionsOf(ctx: Context, user: User): AsyncGenerator<Session[]> {
  const { batch, endedSessions, userSessions } = ctx.records;
  for await (const page of userSessions.pages(idPrefix(user.subject))) {
    const own = page.map(([, session]) => session).filter((each) => belongsTo(each, user));
    const ended = await batch(...own.map(({ sid }) => endedSessions.calls.get(sid)));
    yield own.filter((_, at) => !ended[at]);
  }
}

/** Ends the sessions of a user that a condition selects, and returns how many. */
export async function endSessionsWhere(
  ctx: Context,
  user: User,
  isSelected: (session: Session) => boolean,
): Promise<number> {
  const selected = (await listSessions(ctx, user)).filter(isSelected);
  for (const session of selected) await markSessionEnded(ctx, session);
  return selected.length;
}

/** Returns the clients that know of a session, each with the `sub` by which it knows the user. */
export async function clientsOfSession(
  ctx: Context,
  sid: string,
): Promise<Array<{ client: Client; subject: string }>> {
  const rows = await ctx.records.sessionClients.list(idPrefix(sid));
  const clients = await Promise.all(rows.map(async ([rowId, { subject }]) => {
    const [, clientId = ""] = splitId(rowId);
    const client = await findClient(ctx, clientId);
    return client ? [{ client, subject }] : [];
  }));
  return clients.flat();
}
