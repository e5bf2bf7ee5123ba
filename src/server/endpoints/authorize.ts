import { readForm, readQuery } from "../http/incoming_request.ts";
import { redirectResponse } from "../http/response.ts";
import type { ResponseData } from "../http/response_data.ts";
import { consentsCall, mayHaveConsented } from "../issuer/authorizations/consents.ts";
import type { RequestContext } from "../issuer/context.ts";
import { chargeForStorage } from "../issuer/limits/budget.ts";
import { consumeStoredRequest, startInteraction } from "../issuer/requests/interactions.ts";
import { resolveRequest } from "../issuer/requests/resolve_request.ts";
import { type ResolvedRequest, storeRequest } from "../issuer/requests/stored_requests.ts";
import type { UserAnswer } from "../issuer/server_hooks.ts";
import { findOrCreateBrowser } from "../issuer/sessions/browsers.ts";
import { findSession } from "../issuer/sessions/sessions.ts";
import { redirectErrorsTo } from "../protocol/authorization_response.ts";
import { answerFor, decideWithAnswer } from "./interaction/decide_with_answer.ts";
import { completeRequest } from "./interaction/finish_request.ts";
import { interactionPath } from "./interaction/form.ts";

/**
 * Handles an authorization request, which a client sends through the user's browser (OAuth 2.1,
 * section 4.1.1).
 */
export async function authorize(ctx: RequestContext): Promise<ResponseData> {
  const resolved = await resolveRequest(ctx, readQuery(ctx));
  return await proceed(ctx, resolved, answerFor(ctx, resolved.authorizationRequest, true));
}

/**
 * Handles an authorization request by POST. It is stored and then named in a GET, because only a
 * GET carries the `SameSite=Lax` cookies.
 */
export async function authorizeByPost(ctx: RequestContext): Promise<ResponseData> {
  const parameters = await readForm(ctx);
  const resolved = await resolveRequest(ctx, parameters);
  const { authorizationRequest } = resolved;
  const { clientId, responseTarget } = authorizationRequest;
  const answer = answerFor(ctx, authorizationRequest, true);
  // A user who signs in without a page needs no cookie.
  if (answer?.signIn) return await proceed(ctx, resolved, answer);
  const pushedUri = resolved.pushedId && parameters.get("request_uri");
  if (pushedUri === undefined) chargeForStorage(ctx, authorizationRequest);
  return await redirectErrorsTo(responseTarget, async () => {
    const { interaction } = ctx.settings.lifetimes;
    const requestUri = pushedUri ?? await storeRequest(ctx, authorizationRequest, interaction);
    const query = new URLSearchParams({ client_id: clientId, request_uri: requestUri });
    return redirectResponse(`${ctx.settings.base}${ctx.settings.paths.authorize}?${query}`);
  });
}

/** Responds at once if no interaction is needed, or starts one. */
async function proceed(
  ctx: RequestContext,
  { client, authorizationRequest: pending, pushedId }: ResolvedRequest,
  answer: UserAnswer | undefined,
): Promise<ResponseData> {
  const { responseTarget } = pending;
  const decision = await redirectErrorsTo(responseTarget, async () => {
    const listConsents = (subject: string) => consentsCall(ctx, subject, client);
    const isAsked = !mayHaveConsented(client, pending);
    const signedIn = await findSession(ctx, isAsked ? undefined : listConsents);
    const input = { pending, signedIn, progress: { state: "begun" }, answer } as const;
    return await decideWithAnswer(ctx, client, input);
  });
  // What exceeds a budget of the network is refused here: the client could do nothing about it.
  if (decision.step !== "respond") {
    chargeForStorage(ctx, pending);
  } else if (pushedId !== undefined) {
    await consumeStoredRequest(ctx, pushedId, pending);
  }
  return await redirectErrorsTo(responseTarget, async () => {
    if (decision.step === "respond") return await completeRequest(ctx, decision);
    const { browser, headers } = await findOrCreateBrowser(ctx);
    const started = await startInteraction(ctx, pending, browser, pushedId);
    return redirectResponse(interactionPath(ctx, started), headers);
  });
}
