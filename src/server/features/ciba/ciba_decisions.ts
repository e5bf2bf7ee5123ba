import type { OpenRequest } from "../../issuer/active_features.ts";
import type { ConsentedRequest } from "../../issuer/authorizations/consented_request.ts";
import type { Context } from "../../issuer/context.ts";
import { idPrefix } from "../../issuer/records/row_id.ts";
import { fromNow } from "../../issuer/time.ts";
import type { Client } from "../../model/client.ts";
import type { User } from "../../model/user.ts";
import { ruleSet } from "../../protocol/rule.ts";
import type { WaitingId } from "../device/polled_credential.ts";
import { allowPolled, denyPolled } from "../device/polled_decision.ts";
import { type BackchannelRequest, cibaParts } from "./parts.ts";
import { preparePing } from "./pings.ts";

const about = {
  see: "OpenID Connect CIBA, section 8",
  error: "invalid_request",
  details: { isExpired: true },
} as const;

/** Users see the messages. */
const decisionRules = ruleSet("backchannel_decision", about, {
  in_time: {
    title: "The request must not have expired",
    message: "This request has expired. Start again at the application.",
    holds: ({ expiresAt, now }: { expiresAt: number; now: number }) => expiresAt > now,
  },
  unused: {
    title: "The request must not have been decided about, or replaced by a newer one",
    message: ({ isReplaced }) =>
      isReplaced
        ? "A newer request of the application replaced this one, and waits for a decision."
        : "This request was already decided about.",
    details: ({ isReplaced }) => isReplaced ? { isReplaced } : { isExpired: true },
    holds: ({ isFirst }: { isFirst: boolean; isReplaced: boolean }) => isFirst,
  },
});

export async function listWaiting(ctx: Context, { subject }: User): Promise<OpenRequest[]> {
  const { requests, decisions } = cibaParts(ctx);
  const waiting: OpenRequest[] = [];
  for (const [, pending] of await requests.list(idPrefix(subject))) {
    const { backchannel } = pending;
    if (await decisions.get(backchannel.id) === undefined) {
      waiting.push({ ...backchannel, pending });
    }
  }
  return waiting;
}

export async function allowBackchannel(
  ctx: Context,
  allowed: ConsentedRequest<BackchannelRequest>,
): Promise<void> {
  const { pending: { backchannel }, signedIn: { user: { name: user } } } = allowed;
  const { id: request } = backchannel;
  const sendPing = await preparePing(ctx, request);
  const authorization = await allowPolled(ctx, allowed, decided(ctx, backchannel));
  const client = allowed.client.id;
  ctx.emit({ type: "backchannel.allowed", request, authorization, client, user });
  sendPing();
}

export async function denyBackchannel(
  ctx: Context,
  { backchannel }: BackchannelRequest,
  client: Client,
): Promise<void> {
  const sendPing = await preparePing(ctx, backchannel.id);
  await denyPolled(ctx, decided(ctx, backchannel));
  ctx.emit({ type: "backchannel.denied", request: backchannel.id, client: client.id });
  sendPing();
}

/** Ends a request that a newer one replaces, unless its user has decided. */
export async function endReplaced(
  ctx: Context,
  { backchannel: { id, expiresAt } }: BackchannelRequest,
): Promise<void> {
  if (expiresAt <= ctx.now()) return;
  const { decisions, lifetime } = cibaParts(ctx);
  const sendPing = await preparePing(ctx, id);
  const replaced = { denied: true, replaced: true } as const;
  if (await decisions.add(id, replaced, fromNow(ctx, 2 * lifetime))) sendPing();
}

function decided(ctx: Context, waiting: WaitingId) {
  return { waiting, rules: decisionRules, tables: cibaParts(ctx) };
}
