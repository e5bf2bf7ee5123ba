import { OutboundError } from "../../http/outbound_fetch.ts";
import type { Client } from "../../model/client.ts";
import { responseLocation } from "../../protocol/authorization_response.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { hour, minute, second } from "../../util/duration.ts";
import { isWebUrl } from "../../util/uri.ts";
import { findClient } from "../clients/clients.ts";
import { signForClient } from "../clients/id_token_signature.ts";
import type { Context } from "../context.ts";
import { postForm } from "../outbound_requests.ts";
import { randomId } from "../random.ts";
import type { LogoutDelivery } from "../records/rows.ts";
import { idPrefix, joinId, splitId } from "../records/table.ts";
import { fromNow, numericDate } from "../time.ts";
import { sidFor } from "../users/users.ts";

/** A client that knows who is signed in, and the `sub` by which it knows the user. */
interface SessionClient {
  client: Client;
  subject: string;
}

/** How long to wait after each failed attempt. After the last one there are no more. */
const retryDelays = [30 * second, 2 * minute, 10 * minute, 1 * hour];
const maxAttempts = retryDelays.length + 1;
const maxConcurrent = 50;

/**
 * Notifies the clients that know of a session that it ended. No request waits for this (OpenID
 * Connect Back-Channel Logout, section 2.5).
 */
export async function notifyClients(ctx: Context, sid: string): Promise<void> {
  const clients = await clientsOfSession(ctx, sid);
  const notified = clients.filter(({ client }) => client.backchannelLogoutUri !== undefined);
  await Promise.all(
    notified.map(({ client, subject }) =>
      storeDelivery(ctx, {
        id: randomId(ctx),
        clientId: client.id,
        subject,
        sid,
        attempt: 1,
        dueAt: ctx.now(),
      })
    ),
  );
  if (notified.length > 0) ctx.background.begin("logout", () => deliverLogouts(ctx));
}

/** Makes the attempts that are due. */
export async function deliverLogouts(ctx: Context): Promise<void> {
  const rows = await ctx.records.logoutDeliveries.list();
  const due = rows.map(([, delivery]) => delivery).filter(({ dueAt }) => dueAt <= ctx.now());
  await Promise.all(due.slice(0, maxConcurrent).map((delivery) => attempt(ctx, delivery)));
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

/**
 * Stores the next attempt before making this one. Only one caller succeeds: among processes that
 * share the store each attempt belongs to one, and a process that stops loses none.
 */
async function attempt(ctx: Context, delivery: LogoutDelivery): Promise<void> {
  const isLast = delivery.attempt >= maxAttempts;
  const next = {
    ...delivery,
    attempt: delivery.attempt + 1,
    dueAt: fromNow(ctx, retryDelays[delivery.attempt - 1] ?? 1 * hour),
  };
  if (!await storeDelivery(ctx, next)) return;
  await ctx.records.logoutDeliveries.delete(rowIdOf(delivery));
  const isDone = await deliver(ctx, delivery, isLast);
  if (isDone || isLast) await ctx.records.logoutDeliveries.delete(rowIdOf(next));
}

async function deliver(
  ctx: Context,
  { clientId, subject, sid, attempt }: LogoutDelivery,
  isLast: boolean,
): Promise<boolean> {
  const client = await findClient(ctx, clientId);
  if (!client?.backchannelLogoutUri) return true;
  const { backchannelLogoutUri: url } = client;
  try {
    await postForm(ctx, { purpose: "logout", url, trusted: hasOperatorUrls(client) }, {
      logout_token: await signLogoutToken(ctx, client, subject, sid),
    });
    ctx.emit({ type: "logout.delivered", client: clientId, sid, attempt });
    return true;
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    ctx.emit({ type: "logout.failed", client: clientId, sid, attempt, isLast });
    return false;
  }
}

/**
 * A logout token must not pass for an ID token: it has a type and an event, and no nonce (section
 * 2.4).
 */
export async function signLogoutToken(
  ctx: Context,
  client: Client,
  subject: string,
  sid?: string,
): Promise<string> {
  const iat = numericDate(ctx);
  return await signForClient(ctx, client, "logout+jwt", {
    iss: ctx.settings.issuer,
    sub: subject,
    aud: client.id,
    iat,
    exp: iat + 2 * minute,
    jti: randomId(ctx),
    ...sid !== undefined && { sid: await sidFor(ctx, client, sid) },
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  });
}

/** True to exactly one caller. */
async function storeDelivery(ctx: Context, delivery: LogoutDelivery): Promise<boolean> {
  const expiresAt = delivery.dueAt + 24 * hour * 1000;
  return await ctx.records.logoutDeliveries.add(rowIdOf(delivery), delivery, expiresAt);
}

function rowIdOf({ id, attempt }: LogoutDelivery): string {
  return joinId(id, String(attempt));
}
