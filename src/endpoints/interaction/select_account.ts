import { redirectResponse } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import type { InteractionProgress } from "../../issuer/records/rows.ts";
import { continueInteraction } from "../../issuer/requests/interactions.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import { decideStep, findRequestingClient } from "./decide_step.ts";
import { cancelRequest } from "./finish_request.ts";
import { interactionPath, isCanceled, readInteractionForm } from "./form.ts";

/** Handles the choice of an account: the one that is signed in, or another one. */
export async function selectAccount(ctx: Context, request: Request, id: string): Promise<Response> {
  const { interaction, form, signedIn } = await readInteractionForm(ctx, request, id, "account");
  if (isCanceled(form)) return await cancelRequest(ctx, request, interaction);
  const { pending, mustSignIn = false } = interaction;
  const client = await findRequestingClient(ctx, request, pending);
  const decision = await redirectErrorsTo(
    pending.responseTarget,
    () => decideStep(ctx, client, { ...interaction, mustSignIn: false, signedIn }),
  );
  // A choice is not a sign-in: it does not refresh a sign-in that has become too old.
  const isCurrentUser = decision.step !== "sign-in" && form.get("account") === "this";
  const progress: InteractionProgress = isCurrentUser
    ? { chosen: decision.signedIn.session.sid, chosenBySignIn: false, mustSignIn }
    : { mustSignIn: true };
  await continueInteraction(ctx, interaction, progress);
  return redirectResponse(interactionPath(ctx, interaction));
}
