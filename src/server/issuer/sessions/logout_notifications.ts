import type { Client } from "../../model/client.ts";
import { responseLocation } from "../../protocol/authorization_response.ts";
import { isWebUrl } from "../../util/addresses/uri.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { idPrefix, splitId } from "../records/row_id.ts";
import { sidFor } from "../users/users.ts";
import { makeAttempts, storeFirstAttempt } from "./logout_deliveries.ts";

/** A client that knows who is signed in, and the `sub` by which it knows the user. */
interface SessionClient {
  client: Client;
  subject: string;
}

/**
 * Notifies the clients that know of a session that it ended. No request waits for this (OpenID
 * Connect Back-Channel Logout, section 2.5).
 */
export async function notifyClients(ctx: Context, sid: string): Promise<void> {
  const clients = await clientsOfSession(ctx, sid);
  const notified = clients.filter(({ client }) => client.backchannelLogoutUri !== undefined);
  const stored = await Promise.all(
    notified.map(({ client, subject }) => storeFirstAttempt(ctx, client, { subject, sid })),
  );
  const attempts = stored.filter((attempt) => attempt !== undefined);
  if (attempts.length > 0) ctx.background.begin("logout", () => makeAttempts(ctx, attempts));
}

/**
 * Returns the URLs that a page loads in frames, so that each client can sign the user out in this
 * browser (OpenID Connect Front-Channel Logout, section 2).
 */
export async function frontChannelLogoutUrls(ctx: Context, sid: string): Promise<string[]> {
  const clients = await clientsOfSession(ctx, sid);
  const urls = await Promise.all(clients.map(({ client }) => logoutUrl(ctx, client, sid)));
  return urls.filter((url) => url !== undefined);
}

/** Returns the clients that know of a session and still exist. */
async function clientsOfSession(ctx: Context, sid: string): Promise<SessionClient[]> {
  const rows = await ctx.records.sessionClients.list(idPrefix(sid));
  const clients = await Promise.all(rows.map(async ([rowId, { subject }]) => {
    const [, clientId = ""] = splitId(rowId);
    const client = await findClient(ctx, clientId);
    return client ? [{ client, subject }] : [];
  }));
  return clients.flat();
}

async function logoutUrl(ctx: Context, client: Client, sid: string): Promise<string | undefined> {
  const { frontchannelLogoutUri: redirectUri } = client;
  if (redirectUri === undefined || !isWebUrl(redirectUri)) return undefined;
  return responseLocation({ redirectUri, mode: "query" }, {
    iss: ctx.settings.issuer,
    sid: await sidFor(ctx, client, sid),
  });
}
