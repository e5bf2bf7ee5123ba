import type { Client } from "../../model/client.ts";
import { responseLocation } from "../../protocol/authorization_response.ts";
import { isWebUrl } from "../../util/uri.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { joinedId, joinedPrefix, partsOf } from "../records/joined_id.ts";
import type { Authorization } from "../records/rows.ts";
import { after } from "../time.ts";
import { sidFor } from "./client_sid.ts";

/** A client that was told who is signed in, and by which `sub`. */
export interface SessionClient {
  client: Client;
  subject: string;
}

/** Remembers that a client learns of a session, so that it can be told of its end. */
export async function rememberClient(
  ctx: Context,
  { sid, clientId, subject, scope }: Authorization,
): Promise<void> {
  if (sid !== undefined && scope.includes("openid")) {
    await ctx.records.sessionClients.put(joinedId(sid, clientId), { subject }, afterSession(ctx));
  }
}

/** The clients that have learnt of a session, as far as they are still there. */
export async function clientsOfSession(ctx: Context, sid: string): Promise<SessionClient[]> {
  const rows = await ctx.records.sessionClients.list(joinedPrefix(sid));
  const found = await Promise.all(rows.map(async ([id, { subject }]) => {
    const client = await findClient(ctx, partsOf(id)[1]);
    return client ? [{ client, subject }] : [];
  }));
  return found.flat();
}

/** What a page shows in frames, so that each client can forget the person in this browser (OpenID Connect Front-Channel Logout, section 2). */
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

/** When nothing of a session can be left: not itself, and nothing that was issued in it. */
export function afterSession(ctx: Context): number {
  const { session, refreshToken, accessToken } = ctx.settings.lifetimes;
  return after(ctx, Math.max(session, refreshToken + accessToken));
}
