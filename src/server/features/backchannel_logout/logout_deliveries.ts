import { OutboundError } from "../../http/outbound_fetch.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import { type Context, serverPart } from "../../issuer/context.ts";
import { isTooMany } from "../../issuer/limits/budget.ts";
import { postForm } from "../../issuer/outbound_requests.ts";
import { createDueRows, maxDue } from "../../issuer/records/due_rows.ts";
import { idPrefix, joinId } from "../../issuer/records/row_id.ts";
import { clientsOfSession } from "../../issuer/sessions/session_lists.ts";
import { fromNow } from "../../issuer/time.ts";
import type { Client } from "../../model/client.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { hour, minute, second } from "../../util/time/duration.ts";
import { backchannelLogoutUriOf } from "./config.ts";
import { signLogoutToken } from "./logout_token.ts";

/** A client that has to be notified that a session ended. */
export interface LogoutDelivery {
  id: string;
  clientId: string;
  /** Whether the client chose its URL itself. */
  untrusted: boolean;
  subject: string;
  sid: string;
  /** The first attempt is 1. */
  attempt: number;
  /** In milliseconds. */
  dueAt: number;
}

/** The attempts that are due, by `delivery/attempt`. */
export const logoutDeliveries = serverPart(({ records: { open } }) =>
  open.plain<LogoutDelivery>("logout-delivery", ({ untrusted }) => untrusted !== undefined)
);

/** Attempts at the operator's clients never wait for others. */
const groups = ["trusted", "untrusted"];

const dueDeliveries = serverPart((ctx) =>
  createDueRows<LogoutDelivery>(ctx, {
    kind: "logout-delivery",
    table: logoutDeliveries(ctx),
    idOf: rowIdOf,
    groupOf,
    ownerOf: ({ clientId }) => clientId,
  })
);

/** How long to wait after each failed attempt, in seconds. The attempt after the last is final. */
const retryDelays = [30 * second, 2 * minute, 10 * minute, 1 * hour];

/** The same for clients that chose their own URLs: they must not fill the queue. */
const untrustedRetryDelays = [2 * minute];

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
  if (attempts.length > 0) ctx.background.begin("logout", () => makeAttempts(ctx, attempts));
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
  return await storeDelivery(ctx, delivery) ? delivery : undefined;
}

export async function deliverLogouts(ctx: Context): Promise<void> {
  await Promise.all(groups.map(async (group) => {
    await makeAttempts(ctx, await dueDeliveries(ctx).find(group));
  }));
}

/** Makes attempts, a limited number at a time. */
async function makeAttempts(
  ctx: Context,
  deliveries: readonly LogoutDelivery[],
): Promise<void> {
  for (let start = 0; start < deliveries.length; start += maxDue) {
    const some = deliveries.slice(start, start + maxDue);
    await Promise.all(some.map((delivery) => makeAttempt(ctx, delivery)));
  }
}

/**
 * Stores the next attempt before making this one. Only one caller succeeds: among processes that
 * share the store each attempt belongs to one, and a process that stops loses none.
 */
async function makeAttempt(ctx: Context, delivery: LogoutDelivery): Promise<void> {
  const delays = delivery.untrusted ? untrustedRetryDelays : retryDelays;
  const delay = delays[delivery.attempt - 1];
  const next = {
    ...delivery,
    attempt: delivery.attempt + 1,
    dueAt: fromNow(ctx, delay ?? 1 * hour),
  };
  const isOurs = await storeDelivery(ctx, next);
  // Otherwise the attempt was made: by another process, or by one that stopped before this
  // deletion.
  await dueDeliveries(ctx).delete(delivery);
  if (!isOurs) return;
  const isLast = delay === undefined;
  const isDone = await deliver(ctx, delivery, isLast);
  if (isDone || isLast) await dueDeliveries(ctx).delete(next);
}

async function deliver(
  ctx: Context,
  { clientId, subject, sid, attempt }: LogoutDelivery,
  isLast: boolean,
): Promise<boolean> {
  const client = await findClient(ctx, clientId);
  const url = client && backchannelLogoutUriOf(client);
  if (!client || !url) return true;
  const target = { purpose: "logout", url, trusted: hasOperatorUrls(client), sender: ctx.sender };
  try {
    await postForm(ctx, target, { logout_token: await signLogoutToken(ctx, client, subject, sid) });
    ctx.emit({ type: "logout.delivered", client: clientId, sid, attempt });
    return true;
  } catch (cause) {
    if (!(cause instanceof OutboundError) && !isTooMany(cause)) throw cause;
    // No response is final: a client whose logout failed must respond with 400 (section 2.8).
    ctx.emit({ type: "logout.failed", client: clientId, sid, attempt, isLast });
    return false;
  }
}

/** Stores an attempt. Returns true to exactly one caller. */
async function storeDelivery(ctx: Context, delivery: LogoutDelivery): Promise<boolean> {
  const expiresAt = delivery.dueAt + 24 * hour * 1000;
  return await dueDeliveries(ctx).add(delivery, expiresAt);
}

function groupOf({ untrusted }: LogoutDelivery): string {
  return untrusted ? "untrusted" : "trusted";
}

function rowIdOf({ id, attempt }: LogoutDelivery): string {
  return joinId(id, String(attempt));
}
