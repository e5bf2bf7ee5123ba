import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import {
  continueInteraction,
  findInteraction,
  finishInteraction,
} from "../../issuer/requests/interactions.ts";
import { findBrowser } from "../../issuer/sessions/browsers.ts";
import { findSession, startSession } from "../../issuer/sessions/sessions.ts";
import { authenticateUser } from "../../issuer/users/authenticate_user.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import { type InteractionProgress, unsettledState } from "../../protocol/next_step.ts";
import {
  allowsPartialConsent,
  grantsAnything,
  refusableScopes,
  withoutScopes,
} from "../../protocol/pending_request.ts";
import { authorizationPageResponse } from "../responses/page_response.ts";
import { decideStep, findRequestingClient } from "./decide_step.ts";
import { answerFor, decideWithAnswer } from "./decide_with_answer.ts";
import { cancelRequest, completeRequest, denyConsent } from "./finish_request.ts";
import { interactionPath, isCanceled, readInteractionForm, showedScope } from "./form.ts";
import { pageFor, signInPage } from "./page_for.ts";

/**
 * Shows the page of the next step, however often it is loaded, or responds to the client after the
 * last one.
 */
export async function interaction(ctx: RequestContext, id: string): Promise<ResponseData> {
  const found = await findInteraction(ctx, id, await findBrowser(ctx));
  const { responseTarget } = found.pending;
  const signedIn = await findSession(ctx);
  const client = await findRequestingClient(ctx, found.pending);
  const answer = answerFor(ctx, found.pending, false);
  const decision = await redirectErrorsTo(
    responseTarget,
    () => decideWithAnswer(ctx, client, { ...found, signedIn, answer }),
  );
  if (decision.step !== "respond") {
    return await authorizationPageResponse(await pageFor(ctx, decision, found));
  }
  await finishInteraction(ctx, found);
  return await redirectErrorsTo(responseTarget, () => completeRequest(ctx, decision));
}

/** Handles the sign-in form, then continues with the pending request. */
export async function signIn(ctx: RequestContext, id: string): Promise<ResponseData> {
  const { interaction, form } = await readInteractionForm(ctx, id, "sign-in");
  if (isCanceled(form)) return await cancelRequest(ctx, interaction);
  const { pending, progress } = interaction;
  ctx.note({ client: pending.clientId });
  const authentication = await authenticateUser(ctx, form, pending);
  if (typeof authentication === "string") {
    const client = await findRequestingClient(ctx, pending);
    const attempt = { form, failure: authentication };
    const page = await signInPage(ctx, { pending, client }, interaction, attempt);
    return await authorizationPageResponse(page, 422);
  }
  const { session, headers } = await startSession(ctx, authentication);
  const before = unsettledState(progress);
  await continueInteraction(ctx, interaction, { state: "signed-in", sid: session.sid, before });
  return redirectResponse(interactionPath(ctx, interaction), headers);
}

/** Handles the choice of an account: the one that is signed in, or another one. */
export async function selectAccount(ctx: RequestContext, id: string): Promise<ResponseData> {
  const { interaction, form, signedIn } = await readInteractionForm(ctx, id, "account");
  if (isCanceled(form)) return await cancelRequest(ctx, interaction);
  const { pending, progress } = interaction;
  const client = await findRequestingClient(ctx, pending);
  // A user who wanted to sign in as another one may still select the current account.
  const begun: InteractionProgress = "sid" in progress
    ? { ...progress, before: "begun" }
    : { state: "begun" };
  const decision = await redirectErrorsTo(
    pending.responseTarget,
    () => decideStep(ctx, client, { pending, signedIn, progress: begun }),
  );
  // A choice is not a sign-in: it does not refresh a sign-in that has become too old.
  const isCurrentUser = decision.step !== "sign-in" && form.get("account") === "this";
  const next: InteractionProgress = isCurrentUser
    ? { state: "selected", sid: decision.signedIn.session.sid, before: unsettledState(progress) }
    : { state: "switching" };
  await continueInteraction(ctx, interaction, next);
  return redirectResponse(interactionPath(ctx, interaction));
}

/** Handles the consent form. Only its button "Allow" allows. */
export async function consent(ctx: RequestContext, id: string): Promise<ResponseData> {
  const { interaction, form, signedIn } = await readInteractionForm(ctx, id, "consent");
  const { responseTarget } = interaction.pending;
  const client = await findRequestingClient(ctx, interaction.pending);
  const decision = await redirectErrorsTo(
    responseTarget,
    () => decideStep(ctx, client, { ...interaction, signedIn, allowedBy: "user" }),
  );
  if (decision.step !== "respond") return redirectResponse(interactionPath(ctx, interaction));
  // What the page offered and the user did not tick.
  const offered = form.get("choices")?.split(" ") ?? [];
  const ticked = form.all("scope");
  const refused = refusableScopes(decision.pending.scope).filter((token) =>
    offered.includes(token) && !ticked.includes(token)
  );
  const { settings } = ctx;
  const allows = form.get("decision") === "allow";
  const isPartial = refused.length > 0;
  // The settings may have changed since the page was shown, which then must be shown again.
  if (
    (isPartial && !allowsPartialConsent(settings, client, decision.pending)) ||
    (allows && !await showedScope(ctx, decision.pending))
  ) return redirectResponse(interactionPath(ctx, interaction));
  await finishInteraction(ctx, interaction);
  const pending = withoutScopes(decision.pending, refused, settings);
  // A user who unticks everything allows nothing, even with the button "Allow".
  const isAllowed = allows && grantsAnything(pending);
  const finish = isAllowed ? completeRequest : denyConsent;
  return await redirectErrorsTo(
    responseTarget,
    () => finish(ctx, { ...decision, pending, refused }),
  );
}
