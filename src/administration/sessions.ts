import type { Context } from "../server/issuer/context.ts";
import { type AdminContext, recordChange } from "../server/issuer/directory/changes.ts";
import { AdminError } from "../server/issuer/records/lock.ts";
import { splitId } from "../server/issuer/records/row_id.ts";
import type { Session } from "../server/issuer/records/rows.ts";
import {
  belongsTo,
  hasSessionEnded,
  markSessionEnded,
} from "../server/issuer/sessions/sessions.ts";
import { findUser } from "../server/issuer/users/users.ts";

/** A session, and the clients that the user reached in it. */
export interface SessionEntry {
  session: Session;
  clientIds: string[];
}

/** Lists the active sessions of every user, or of one, the most recent sign-in first. */
export async function list(ctx: Context, userName?: string): Promise<SessionEntry[]> {
  const clientIds = await clientIdsBySession(ctx);
  const entries: SessionEntry[] = [];
  for await (const [, session] of ctx.records.userSessions.each()) {
    if (userName !== undefined && session.userName !== userName) continue;
    if (!await isActive(ctx, session)) continue;
    entries.push({ session, clientIds: clientIds.get(session.sid) ?? [] });
  }
  return entries.toSorted((one, other) => other.session.authTime - one.session.authTime);
}

/** Ends a session, as if its user had signed out. */
export async function end(ctx: AdminContext, sid: string): Promise<void> {
  for await (const [, session] of ctx.records.userSessions.each()) {
    if (session.sid !== sid || !await isActive(ctx, session)) continue;
    await recordChange(ctx, sid, [`user ${session.userName}`]);
    return await markSessionEnded(ctx, session);
  }
  throw new AdminError(`There is no session '${sid}'.`);
}

async function isActive(ctx: Context, session: Session): Promise<boolean> {
  if (await hasSessionEnded(ctx, session)) return false;
  const user = await findUser(ctx, session.userName);
  return user !== undefined && belongsTo(session, user);
}

async function clientIdsBySession(ctx: Context): Promise<Map<string, string[]>> {
  const clientIds = new Map<string, string[]>();
  for await (const [rowId] of ctx.records.sessionClients.each()) {
    const [sid = "", clientId = ""] = splitId(rowId);
    clientIds.set(sid, [...clientIds.get(sid) ?? [], clientId]);
  }
  return clientIds;
}
