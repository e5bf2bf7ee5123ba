import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { continueInteraction } from "../../issuer/requests/interactions.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import { type InteractionProgress, unsettledState } from "../../protocol/next_step.ts";
import { decideStep, findRequestingClient } from "./decide_step.ts";
import { cancelRequest } from "./finish_request.ts";
import { interactionPath, isCanceled, readInteractionForm } from "./form.ts";

/** Handles the choice of an account: the one that is signed in, or another one. */
export async function selectAccount(ctx: RequestContext, id: string): Promise<ResponseData> {
  const { interaction, form, signedIn } = await readInteractionForm(ctx, id, "account");
  if (isCanceled(form)) return await cancelRequest(ctx, interaction);
  const { pending, progress } = interaction;
  const client = await findRequestingClient(ctx, pending);
  const decision = await redirectErrorsTo(
    pending.responseTarget,
    () => decideStep(ctx, client, { pending, signedIn, progress: withoutSwitch(progress) }),
  );
  // A choice is not a sign-in: it does not refresh a sign-in that has become too old.
  const isCurrentUser = decision.step !== "sign-in" && form.get("account") === "this";
  const next: InteractionProgress = isCurrentUser
    ? { state: "selected", sid: decision.signedIn.session.sid, before: unsettledState(progress) }
    : { state: "switching" };
  await continueInteraction(ctx, interaction, next);
  return redirectResponse(interactionPath(ctx, interaction));
}

/** A user who wanted to sign in as another one may still select the current account. */
function withoutSwitch(progress: InteractionProgress): InteractionProgress {
  return "sid" in progress ? { ...progress, before: "begun" } : { state: "begun" };
}
