import { redirect } from "../../http/answer.ts";
import { replyingTo } from "../../protocol/redirected_error.ts";
import type { Context } from "../../issuer/context.ts";
import { continueInteraction } from "../../issuer/requests/interactions.ts";
import { cancel, isCanceled } from "./cancel.ts";
import { clientOf } from "./client_of.ts";
import { decideStep } from "./decide_step.ts";
import { takeForm } from "./form.ts";
import { interactionPath } from "./paths.ts";

/** Takes the answer to "which account?": the one that is signed in, or another one. */
export async function selectAccount(ctx: Context, request: Request, id: string): Promise<Response> {
  const { waiting, form, signedIn } = await takeForm(ctx, request, id, "account");
  if (isCanceled(form)) return await cancel(ctx, request, waiting);
  const client = await clientOf(ctx, request, waiting.asked);
  const decision = await replyingTo(
    waiting.asked.replyTo,
    () => decideStep(ctx, client, { ...waiting, mustSignIn: false, signedIn }),
  );
  // A choice is no sign-in: one that has grown too old meanwhile is not made young by it.
  const isThis = decision.step !== "sign-in" && form.get("account") === "this";
  await continueInteraction(
    ctx,
    waiting,
    isThis ? { chosen: decision.signedIn.session.sid, chosenBySignIn: false, mustSignIn: waiting.mustSignIn } : { mustSignIn: true },
  );
  return redirect(interactionPath(ctx, id));
}
