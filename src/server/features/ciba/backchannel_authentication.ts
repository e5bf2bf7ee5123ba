import { jsonResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { authenticateRequest } from "../../issuer/clients/authenticate_client.ts";
import { checkNoClientId } from "../../issuer/clients/clients.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { chargeClientForStorage, takeAll } from "../../issuer/limits/budget.ts";
import { aboutLimits, limit, limitExceeded } from "../../issuer/limits/limit_rules.ts";
import { newCredential, randomId } from "../../issuer/random.ts";
import { joinId } from "../../issuer/records/row_id.ts";
import { fromNow } from "../../issuer/time.ts";
import { subjectFor } from "../../issuer/users/users.ts";
import type { User } from "../../model/user.ts";
import { ruleSet } from "../../protocol/rule.ts";
import { pollInterval } from "../device/polling_rules.ts";
import { backchannelRules } from "./backchannel_rules.ts";
import { endReplaced } from "./ciba_decisions.ts";
import { isHighValue } from "./config.ts";
import { checkUserCode, requireHintedUser } from "./hinted_user.ts";
import { type BackchannelRequest, cibaParts } from "./parts.ts";
import { storeNotification } from "./pings.ts";
import { readBackchannelRequest } from "./read_request.ts";
import { readParameters } from "./signed_request.ts";

const limits = ruleSet("limit", aboutLimits, {
  backchannel_requests: {
    ...limit,
    title: "A user must not get too many backchannel requests in a minute",
    message: "This user was asked too often; try again in a minute.",
  },
});

/** Asks a user on behalf of a client, which has no browser of the user (CIBA, section 7). */
export async function backchannelAuthentication(ctx: RequestContext): Promise<ResponseData> {
  const { profile } = ctx.settings;
  // FAPI 2.0 permits the issuer alone (5.3.2.1), against CIBA, section 7.1.
  const audience = isHighValue(profile) ? "issuer" : "token-endpoint";
  const { client, parameters: sent } = await authenticateRequest(ctx, audience);
  ctx.apply(backchannelRules.allowed, client);
  const parameters = await readParameters(ctx, client, sent);
  const asked = readBackchannelRequest(ctx.apply, parameters, client, ctx.settings);
  const { bindingMessage, notificationToken } = asked;
  await checkNoClientId(ctx, asked.request.resources);
  const user = await requireHintedUser(ctx, client, asked.hint);
  await checkUserCode(ctx, client, user, asked.userCode);
  chargeClientForStorage(ctx, client, asked);
  const { lifetime } = cibaParts(ctx);
  const expiresIn = Math.min(asked.requestedExpiry ?? lifetime, lifetime);
  const request = {
    ...asked.request,
    loginHint: user.name,
    subjectHint: { subject: await subjectFor(ctx, client, user), clientId: client.id },
    backchannel: { id: randomId(ctx), expiresAt: fromNow(ctx, expiresIn), bindingMessage },
  };
  return jsonResponse({
    auth_req_id: await openRequest(ctx, user, request, notificationToken),
    expires_in: expiresIn,
    interval: pollInterval,
  });
}

/** Stores a request, and returns the `auth_req_id` with which its client polls. */
async function openRequest(
  ctx: RequestContext,
  user: User,
  request: BackchannelRequest,
  notificationToken: string | undefined,
): Promise<string> {
  const { credentials, lifetime } = cibaParts(ctx);
  const { clientId, requestedBy, scope, backchannel: waiting } = request;
  const rowId = joinId(user.subject, clientId);
  await chargeForUser(ctx, user, rowId);
  const authReqId = await newCredential(ctx, "auth_req_id", clientId);
  // The row outlives the request, so that the client learns that it expired.
  const keepUntil = fromNow(ctx, 2 * lifetime);
  await credentials.put(authReqId, { waiting, clientId, requestedBy }, keepUntil);
  if (notificationToken !== undefined) {
    await storeNotification(ctx, request, { authReqId, token: notificationToken });
  }
  // Last, so that a request that was not completed replaces none.
  await claimUser(ctx, rowId, request);
  ctx.note({ backchannelRequest: waiting.id });
  const { name } = user;
  ctx.emit({ type: "backchannel.began", request: waiting.id, client: clientId, user: name, scope });
  return authReqId;
}

/**
 * Makes a request the only one of its client that waits for this user: a client must not send a
 * person a hundred questions, and one that lost its `auth_req_id` can ask again.
 */
async function claimUser(ctx: Context, rowId: string, request: BackchannelRequest): Promise<void> {
  const { requests } = cibaParts(ctx);
  const { expiresAt } = request.backchannel;
  const before = await requests.getStored(rowId);
  if (before) await endReplaced(ctx, before.value);
  const isWritten = before
    ? await requests.replace(rowId, before, request, expiresAt)
    : await requests.add(rowId, request, expiresAt);
  // Another one was quicker, which this one replaces, or the row was swept.
  if (!isWritten) await claimUser(ctx, rowId, request);
}

/** Charges a client for a question to a user, with what other servers on the store asked. */
async function chargeForUser(
  ctx: Context,
  { subject }: User,
  clientAtUser: string,
): Promise<void> {
  const { ofUser, ofClientAtUser, askedCounts } = cibaParts(ctx);
  // Joined, too: a user may be named as the id of a client at another one.
  const charged = [[ofClientAtUser, clientAtUser], [ofUser, joinId(subject)]] as const;
  const prepareTakes = (amount: number) =>
    Promise.all(charged.map(async ([budget, name]) => {
      const elsewhere = await askedCounts.usedElsewhere(name);
      return () => budget.take(name, amount, elsewhere);
    }));
  const publish = () =>
    Promise.all(
      charged.map(([budget, name]) => askedCounts.publish(name, () => budget.used(name))),
    );
  const refund = takeAll(await prepareTakes(1));
  if (!refund) throw limitExceeded(limits.backchannel_requests);
  await publish();
  // After that: of two servers that are asked at the same moment, one sees the other.
  if (takeAll(await prepareTakes(0))) return;
  refund();
  await publish();
  throw limitExceeded(limits.backchannel_requests);
}
