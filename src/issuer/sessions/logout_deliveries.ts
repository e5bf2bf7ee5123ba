import { OutboundError } from "../../http/outbound_fetch.ts";
import type { Client } from "../../model/client.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { hour, minute, second } from "../../util/duration.ts";
import { findClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { signJwt } from "../keys/own_jwt.ts";
import { postForm } from "../outbound_requests.ts";
import { randomId } from "../random.ts";
import { joinedId } from "../records/joined_id.ts";
import type { LogoutDelivery } from "../records/rows.ts";
import { after, numericDate } from "../time.ts";
import { sidFor } from "./client_sid.ts";
import { clientsOfSession } from "./session_clients.ts";

/** How long to wait after each try that failed; after the last one no more is tried. */
const pauses = [30 * second, 2 * minute, 10 * minute, 1 * hour];
const tries = pauses.length + 1;
const maxAtOnce = 50;

/** Tells every client that has learnt of a session of its end, and lets nobody wait for it (OpenID Connect Back-Channel Logout, section 2.5). */
export async function notifyClients(ctx: Context, sid: string): Promise<void> {
  const clients = await clientsOfSession(ctx, sid);
  const told = clients.filter(({ client }) => client.backchannelLogoutUri !== undefined);
  await Promise.all(
    told.map(({ client, subject }) =>
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
  if (told.length > 0) ctx.background.begin("logout", () => deliverLogouts(ctx));
}

/** Makes the tries that are due. */
export async function deliverLogouts(ctx: Context): Promise<void> {
  const rows = await ctx.records.logoutDeliveries.list();
  const due = rows.map(([, delivery]) => delivery).filter(({ dueAt }) => dueAt <= ctx.now());
  await Promise.all(due.slice(0, maxAtOnce).map((delivery) => attempt(ctx, delivery)));
}

/**
 * The next try is written down before this one begins, and by one caller alone: of processes that share the store each try is
 * one's, and a process that stops loses none.
 */
async function attempt(ctx: Context, delivery: LogoutDelivery): Promise<void> {
  const isLast = delivery.attempt >= tries;
  const next = {
    ...delivery,
    attempt: delivery.attempt + 1,
    dueAt: after(ctx, pauses[delivery.attempt - 1] ?? 1 * hour),
  };
  if (!await storeDelivery(ctx, next)) return;
  await ctx.records.logoutDeliveries.delete(placeOf(delivery));
  const done = await deliver(ctx, delivery, isLast);
  if (done || isLast) await ctx.records.logoutDeliveries.delete(placeOf(next));
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
    await postForm(ctx, { what: "logout", url, trusted: hasOperatorUrls(client) }, {
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

/** It looks like an ID token, and must never be taken for one: it has a type and an event, and no nonce (section 2.4). */
async function signLogoutToken(
  ctx: Context,
  client: Client,
  subject: string,
  sid: string,
): Promise<string> {
  const iat = numericDate(ctx);
  return await signJwt(ctx, client.idTokenAlg ?? ctx.settings.idTokenAlg, "logout+jwt", {
    iss: ctx.settings.issuer,
    sub: subject,
    aud: client.id,
    iat,
    exp: iat + 2 * minute,
    jti: randomId(ctx),
    sid: await sidFor(ctx, client, sid),
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  });
}

/** True to exactly one caller. */
async function storeDelivery(ctx: Context, delivery: LogoutDelivery): Promise<boolean> {
  return await ctx.records.logoutDeliveries.add(
    placeOf(delivery),
    delivery,
    delivery.dueAt + 24 * hour * 1000,
  );
}

function placeOf({ id, attempt }: LogoutDelivery): string {
  return joinedId(id, String(attempt));
}
