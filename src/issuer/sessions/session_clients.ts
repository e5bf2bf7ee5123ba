import type { Client } from "../../model/client.ts";
import { responseLocation } from "../../protocol/authorization_response.ts";
import { isWebUrl } from "../../util/uri.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { idPrefix, splitId } from "../records/table.ts";
import { sidFor } from "../users/users.ts";

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

/**
 * Returns the URLs that a page shows in frames, so that each client can sign the user out in this
 * browser (OpenID Connect Front-Channel Logout, section 2).
 */
export async function logoutFrames(ctx: Context, sid: string): Promise<string[]> {
  const clients = await clientsOfSession(ctx, sid);
  const frames = await Promise.all(clients.map(({ client }) => logoutFrame(ctx, client, sid)));
  return frames.filter((frame) => frame !== undefined);
}

async function logoutFrame(ctx: Context, client: Client, sid: string): Promise<string | undefined> {
  const { frontchannelLogoutUri: redirectUri } = client;
  if (redirectUri === undefined || !isWebUrl(redirectUri)) return undefined;
  return responseLocation({ redirectUri, mode: "query" }, {
    iss: ctx.settings.issuer,
    sid: await sidFor(ctx, client, sid),
  });
}
