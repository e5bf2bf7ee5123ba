import { OutboundError } from "../../http/outbound_fetch.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import { type Context, serverPart } from "../../issuer/context.ts";
import { isTooMany } from "../../issuer/limits/budget.ts";
import { postJson } from "../../issuer/outbound_requests.ts";
import { createDueRows, maxDue } from "../../issuer/records/due_rows.ts";
import { joinId } from "../../issuer/records/row_id.ts";
import { fromNow } from "../../issuer/time.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { minute, second } from "../../util/time/duration.ts";
import { cibaClientOf } from "./config.ts";
import {
  type BackchannelRequest,
  cibaParts,
  type Notification,
  type PingAttempt,
} from "./parts.ts";

/** How long to wait after each failed attempt, in seconds. The client may poll at any time. */
const retryDelays = [10 * second, 1 * minute];

/** There is one, without turns of clients: each has one open request for a user. */
const group = "all";

const duePings = serverPart((ctx) =>
  createDueRows<PingAttempt>(ctx, {
    kind: "ping",
    table: cibaParts(ctx).pings,
    idOf: rowIdOf,
    groupOf: () => group,
    ownerOf: ({ requestId }) => requestId,
  })
);

/** The token is the `client_notification_token`. */
type PingContent = Record<"authReqId" | "token", string>;

/** Stores what a client gets as soon as its user has decided (CIBA, section 10.2). */
export async function storeNotification(
  ctx: Context,
  { clientId, backchannel: { id, expiresAt } }: BackchannelRequest,
  content: PingContent,
): Promise<void> {
  const sealed = await ctx.keys.encryption.encrypt(JSON.stringify(content), placeOf(id));
  const { notifications } = cibaParts(ctx);
  await notifications.put(id, { clientId, sealed, expiresAt }, expiresAt);
}

/**
 * Stores that a ping is due soon, if the client of a request waits for one, before the request is
 * decided about: if this process stops after the decision, another one sends it. Returns what begins
 * to send it now. No user waits for this.
 */
export async function preparePing(ctx: Context, requestId: string): Promise<() => void> {
  const { notifications, decisions } = cibaParts(ctx);
  if (await notifications.find(requestId) === undefined) return () => {};
  // A decision that comes too late must not begin the attempts again.
  if (await decisions.find(requestId) !== undefined) return () => {};
  const first = { requestId, attempt: 1, dueAt: fromNow(ctx, 10 * second) };
  await storeAttempt(ctx, first);
  return () => ctx.background.begin("ping", () => makeAttempt(ctx, first));
}

/** Makes attempts that are due. */
export async function deliverPings(ctx: Context): Promise<"more" | void> {
  const due = await duePings(ctx).find(group);
  await Promise.all(due.map((attempt) => makeAttempt(ctx, attempt)));
  if (due.length === maxDue) return "more";
}

/**
 * Stores the next attempt before making this one. Among processes that share the store each attempt
 * belongs to one, and a process that stops loses none.
 */
async function makeAttempt(ctx: Context, made: PingAttempt): Promise<void> {
  const { notifications, decisions } = cibaParts(ctx);
  // The process that prepared the ping stopped before its user had decided.
  if (await decisions.find(made.requestId) === undefined) return await duePings(ctx).delete(made);
  const delay = retryDelays[made.attempt - 1];
  const dueAt = fromNow(ctx, delay ?? 1 * minute);
  const next = { ...made, attempt: made.attempt + 1, dueAt };
  const isOurs = await storeAttempt(ctx, next);
  await duePings(ctx).delete(made);
  if (!isOurs) return;
  const notification = await notifications.find(made.requestId);
  const isLast = delay === undefined;
  const wait = notification && await send(ctx, notification, { ...made, isLast });
  if (wait !== undefined && !isLast) return await postpone(ctx, next, wait);
  // First: a process that still knows the earlier attempt could make the next one again.
  await notifications.delete(made.requestId);
  await duePings(ctx).delete(next);
}

/** Lets an attempt wait for as long as the client asked, up to a minute. */
async function postpone(ctx: Context, next: PingAttempt, seconds: number): Promise<void> {
  const { pings } = cibaParts(ctx);
  const dueAt = fromNow(ctx, Math.min(seconds, 1 * minute));
  const row = dueAt > next.dueAt ? await pings.get(rowIdOf(next)) : undefined;
  if (!row) return;
  const postponed = { ...next, dueAt };
  await duePings(ctx).lead(postponed, row.expiresAt);
  await pings.replace(rowIdOf(next), row, postponed);
}

/**
 * Sends a ping. Redirects are never followed (CIBA, section 10.2). Returns how long to wait before
 * another attempt, in seconds; undefined if there is no reason for one.
 */
async function send(
  ctx: Context,
  { clientId, sealed }: Notification,
  { requestId, attempt, isLast }: PingAttempt & { isLast: boolean },
): Promise<number | undefined> {
  const client = await findClient(ctx, clientId);
  const url = client && cibaClientOf(client).backchannelNotificationEndpoint;
  if (!client || url === undefined) return undefined;
  const content = await openContent(ctx, requestId, sealed);
  if (!content) {
    ctx.emit({ type: "ping.failed", request: requestId, client: clientId, attempt, isLast: true });
    return undefined;
  }
  const { authReqId, token } = content;
  const target = { purpose: "ping", url, trusted: hasOperatorUrls(client), sender: ctx.sender };
  try {
    await postJson(ctx, target, token, { auth_req_id: authReqId });
    ctx.emit({ type: "ping.delivered", request: requestId, client: clientId, attempt });
    return undefined;
  } catch (cause) {
    if (!(cause instanceof OutboundError) && !isTooMany(cause)) throw cause;
    const { isFinal = false, retryAfter = 0 } = cause instanceof OutboundError ? cause : {};
    const failed = { request: requestId, client: clientId, attempt, isLast: isLast || isFinal };
    ctx.emit({ type: "ping.failed", ...failed });
    return isFinal ? undefined : retryAfter;
  }
}

/** Returns undefined if the secret that encrypted the content was replaced since. */
async function openContent(
  { keys: { encryption } }: Context,
  requestId: string,
  sealed: string,
): Promise<PingContent | undefined> {
  const plain = await encryption.decrypt(sealed, placeOf(requestId)).catch(() => undefined);
  return plain === undefined ? undefined : JSON.parse(plain);
}

/** Stores an attempt. Returns true to exactly one caller. */
async function storeAttempt(ctx: Context, attempt: PingAttempt): Promise<boolean> {
  const expiresAt = attempt.dueAt + 60 * minute * 1000;
  return await duePings(ctx).add(attempt, expiresAt);
}

function rowIdOf({ requestId, attempt }: PingAttempt): string {
  return joinId(requestId, String(attempt));
}

function placeOf(requestId: string): string {
  return `notification ${requestId}`;
}
