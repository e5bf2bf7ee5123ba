import type { Client } from "../../model/client.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { idPrefix, splitId } from "../records/row_id.ts";

/** A client that knows who is signed in, and the `sub` by which it knows the user. */
export interface SessionClient {
  client: Client;
  subject: string;
}

/** Returns the clients that know of a session and still exist. */
export async function clientsOfSession(ctx: Context, sid: string): Promise<SessionClient[]> {
  const rows = await ctx.records.sessionClients.list(idPrefix(sid));
  const clients = await Promise.all(rows.map(async ([rowId, { subject }]) => {
    const [, clientId = ""] = splitId(rowId);
    const client = await findClient(ctx, clientId);
    return client ? [{ client, subject }] : [];
  }));
  return clients.flat();
}
