import type { ResponseData } from "../../http/response_data.ts";
import { featuresOf, type RequestCompletion } from "../../issuer/active_features.ts";
import { issueCode } from "../../issuer/authorizations/consented_request.ts";
import { rememberConsent } from "../../issuer/authorizations/consents.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { finishInteraction, type PendingInteraction } from "../../issuer/requests/interactions.ts";
import type { Client } from "../../model/client.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import { userRules } from "../../protocol/next_step.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
import { authorizationResponse } from "../responses/error_responses.ts";
import { findRequestingClient, type SignedInDecision } from "./decide_step.ts";

/**
 * Finishes a request that was decided: the client gets a code, or what it polls for, unless an
 * answer for the user denies it.
 */
export async function completeRequest(
  ctx: RequestContext,
  decision: SignedInDecision,
): Promise<ResponseData> {
  const { client, pending, signedIn, given, refused = [], unasked } = decision;
  const { responseTarget } = pending;
  if (decision.isDenied) {
    // No page is shown: the answer also follows the link that an untrusted client's error page has.
    const confirmed = responseTarget && { ...responseTarget, trusted: true };
    return await redirectErrorsTo(confirmed, () => denyConsent(ctx, decision));
  }
  if (given) {
    const { user } = signedIn;
    const isRemembered = responseTarget && !given.byOperator;
    if (isRemembered) await rememberConsent(ctx, user, client, pending, refused);
    ctx.emit({
      type: "consent.given",
      user: user.name,
      client: client.id,
      scope: pending.scope,
      ...refused.length > 0 && { refused: [...refused] },
      ...unasked && { unasked },
    });
  }
  if (responseTarget) {
    ctx.apply(userRules.allows, { isAllowed: true });
    const code = await issueCode(ctx, { client, pending, signedIn, given });
    return await authorizationResponse(ctx, responseTarget, { code });
  }
  const completion = completionOf(ctx, pending);
  await completion.allow(ctx, { client, signedIn, given });
  return await completion.respond(ctx, client, true);
}

export async function denyConsent(
  ctx: RequestContext,
  { pending, client, signedIn: { user }, unasked }: SignedInDecision,
): Promise<ResponseData> {
  ctx.emit({
    type: "consent.denied",
    user: user.name,
    client: client.id,
    ...unasked && { unasked },
  });
  return await denyRequest(ctx, client, pending);
}

async function denyRequest(
  ctx: RequestContext,
  client: Client,
  pending: PendingRequest,
): Promise<ResponseData> {
  if (pending.responseTarget) ctx.apply(userRules.allows, { isAllowed: false });
  const completion = completionOf(ctx, pending);
  await completion.deny(ctx, client);
  return await completion.respond(ctx, client, false);
}

/** Finishes a request that the user canceled, so that the client does not wait for ever. */
export async function cancelRequest(
  ctx: RequestContext,
  interaction: PendingInteraction,
): Promise<ResponseData> {
  const { pending } = interaction;
  const client = await findRequestingClient(ctx, pending);
  await finishInteraction(ctx, interaction);
  ctx.emit({ type: "request.canceled", client: client.id });
  return await redirectErrorsTo(pending.responseTarget, () => denyRequest(ctx, client, pending));
}

/** Returns how a request is completed. One that no feature handles has lost its client by now. */
function completionOf(ctx: Context, pending: PendingRequest): RequestCompletion {
  const completion = pending.responseTarget ? undefined : featuresOf(ctx).completionOf(pending);
  if (!completion) throw new Error("No feature handles this request.");
  return completion;
}
