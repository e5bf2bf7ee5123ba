import { findClient } from "../../issuer/clients/clients.ts";
import { type Context, serverPart } from "../../issuer/context.ts";
import { postJson } from "../../issuer/outbound_requests.ts";
import { joinId } from "../../issuer/records/row_id.ts";
import { fromNow } from "../../issuer/time.ts";
import { hasOperatorUrls } from "../../protocol/client_trust.ts";
import { minute, second } from "../../util/time/duration.ts";
import { createDeliveries } from "../deliveries/deliveries.ts";
import { cibaClientOf } from "./config.ts";
import { type BackchannelRequest, cibaParts, type PingAttempt } from "./parts.ts";

/** How long to wait after each failed attempt, in seconds. The client may poll at any time. */
const retryDelays = [10 * second, 1 * minute];

/** There is one, without turns of clients: a user gets few requests in a minute. */
const group = "all";

const deliveries = serverPart((ctx) => {
  const { notifications, decisions, pings } = cibaParts(ctx);
  return createDeliveries<PingAttempt>(ctx, {
    kind: "ping",
    table: pings,
    idOf: ({ requestId, attempt }) => joinId(requestId, String(attempt)),
    groupOf: () => group,
    ownerOf: ({ requestId }) => requestId,
    delaysOf: () => retryDelays,
    keptFor: 60 * minute,
    // Otherwise the process that prepared the ping stopped before its user had decided.
    isWanted: async ({ requestId }) => await decisions.find(requestId) !== undefined,
    async send(attempt, isLast) {
      const wait = await sendPing(ctx, attempt, isLast);
      // At once: a process that still knows an earlier attempt could make the next one again.
      if (wait === undefined) await notifications.delete(attempt.requestId);
      return wait;
    },
  });
});

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
  await deliveries(ctx).add(first);
  return () => ctx.background.begin("ping", () => deliveries(ctx).make([first]));
}

/** Makes attempts that are due. */
export async function deliverPings(ctx: Context): Promise<"more" | void> {
  return await deliveries(ctx).makeDue(group);
}

/**
 * Sends a ping. Redirects are never followed (CIBA, section 10.2). Returns how long to wait before
 * another attempt, in seconds; undefined if there is no reason for one.
 */
async function sendPing(
  ctx: Context,
  { requestId: request, attempt }: PingAttempt,
  isLast: boolean,
): Promise<number | undefined> {
  const { clientId = "", sealed = "" } = await cibaParts(ctx).notifications.find(request) ?? {};
  const client = await findClient(ctx, clientId);
  const url = client && cibaClientOf(client).backchannelNotificationEndpoint;
  if (!client || url === undefined) return undefined;
  // It cannot be read if the secret that encrypted it was replaced since.
  const plain = await ctx.keys.encryption.decrypt(sealed, placeOf(request)).catch(() => undefined);
  const content: PingContent | undefined = plain === undefined ? undefined : JSON.parse(plain);
  const target = { purpose: "ping", url, trusted: hasOperatorUrls(client), sender: ctx.sender };
  const failure = content
    ? await postJson(ctx, target, content.token, { auth_req_id: content.authReqId })
    : { isFinal: true, retryAfter: 0 };
  const about = { request, client: clientId, attempt };
  if (!failure) ctx.emit({ type: "ping.delivered", ...about });
  else ctx.emit({ type: "ping.failed", ...about, isLast: isLast || failure.isFinal });
  if (!failure || failure.isFinal || isLast) return undefined;
  return Math.min(failure.retryAfter, 1 * minute);
}

function placeOf(requestId: string): string {
  return `notification ${requestId}`;
}
