import { findClient } from "../../issuer/clients/clients.ts";
import { type Context, serverPart } from "../../issuer/context.ts";
import { postForm } from "../../issuer/outbound_requests.ts";
import { idPrefix, joinId } from "../../issuer/records/row_id.ts";
import { clientsOfSession } from "../../issuer/sessions/session_lists.ts";
import type { Client } from "../../model/client.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { hour, minute, second } from "../../util/time/duration.ts";
import { type Attempt, createDeliveries } from "../deliveries/deliveries.ts";
import { backchannelLogoutUriOf } from "./config.ts";
import { signLogoutToken } from "./logout_token.ts";

/** A client that has to be notified that a session ended. */
export interface LogoutDelivery extends Attempt {
  id: string;
  clientId: string;
  /** Whether the client chose its URL itself. */
  untrusted: boolean;
  subject: string;
  sid: string;
}

/** The attempts that are due, by `delivery/attempt`. */
export const logoutDeliveries = serverPart(({ records: { open } }) =>
  open.plain<LogoutDelivery>("logout-delivery", ({ untrusted }) => untrusted !== undefined)
);

/** Attempts at the operator's clients never wait for others. */
const groups = ["trusted", "untrusted"];

/** How long to wait after each failed attempt, in seconds. The attempt after the last is final. */
const retryDelays = [30 * second, 2 * minute, 10 * minute, 1 * hour];

/** The same for clients that chose their own URLs: they must not fill the queue. */
const untrustedRetryDelays = [2 * minute];

const deliveries = serverPart((ctx) =>
  createDeliveries<LogoutDelivery>(ctx, {
    kind: "logout-delivery",
    table: logoutDeliveries(ctx),
    idOf: ({ id, attempt }) => joinId(id, String(attempt)),
    groupOf: ({ untrusted }) => untrusted ? "untrusted" : "trusted",
    ownerOf: ({ clientId }) => clientId,
    delaysOf: ({ untrusted }) => untrusted ? untrustedRetryDelays : retryDelays,
    keptFor: 24 * hour,
    send: (delivery, isLast) => send(ctx, delivery, isLast),
  })
);

/**
 * Notifies the clients that know of a session that it ended. No request waits for this (OpenID
 * Connect Back-Channel Logout, section 2.5).
 */
export async function notifyClients(ctx: Context, sid: string): Promise<void> {
  const clients = await clientsOfSession(ctx, sid);
  const notified = clients.filter(({ client }) => backchannelLogoutUriOf(client) !== undefined);
  const stored = await Promise.all(
    notified.map(({ client, subject }) => storeFirstAttempt(ctx, client, { subject, sid })),
  );
  const attempts = stored.filter((attempt) => attempt !== undefined);
  if (attempts.length > 0) ctx.background.begin("logout", () => deliveries(ctx).make(attempts));
}

/**
 * Stores a delivery that is due at once, and returns it. Nothing is stored if another one to this
 * client about this session is pending: a session can be ended many times.
 */
async function storeFirstAttempt(
  ctx: Context,
  client: Client,
  { subject, sid }: Pick<LogoutDelivery, "subject" | "sid">,
): Promise<LogoutDelivery | undefined> {
  const delivery = {
    id: `${client.id} ${sid}`,
    clientId: client.id,
    untrusted: !hasOperatorUrls(client),
    subject,
    sid,
    attempt: 1,
    dueAt: ctx.now(),
  };
  const pending = await logoutDeliveries(ctx).list(idPrefix(delivery.id));
  if (pending.length > 0) return undefined;
  return await deliveries(ctx).add(delivery) ? delivery : undefined;
}

export async function deliverLogouts(ctx: Context): Promise<void> {
  await Promise.all(groups.map((group) => deliveries(ctx).makeDue(group)));
}

/**
 * Sends a logout token. No response is final: a client whose logout failed must respond with 400
 * (section 2.8).
 */
async function send(
  ctx: Context,
  { clientId, subject, sid, attempt }: LogoutDelivery,
  isLast: boolean,
): Promise<number | undefined> {
  const client = await findClient(ctx, clientId);
  const url = client && backchannelLogoutUriOf(client);
  if (!client || !url) return undefined;
  const target = { purpose: "logout", url, trusted: hasOperatorUrls(client), sender: ctx.sender };
  const logout_token = await signLogoutToken(ctx, client, subject, sid);
  const failure = await postForm(ctx, target, { logout_token });
  const about = { client: clientId, sid, attempt };
  if (!failure) ctx.emit({ type: "logout.delivered", ...about });
  else ctx.emit({ type: "logout.failed", ...about, isLast });
  return failure && !isLast ? 0 : undefined;
}
