import { redirect } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import { continueInteraction } from "../../issuer/requests/interactions.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import { cancel, isCanceled } from "./cancel.ts";
import { findRequestingClient } from "./client_of.ts";
import { decideStep } from "./decide_step.ts";
import { readInteractionForm } from "./form.ts";
import { interactionPath } from "./paths.ts";

/** Takes the answer to "which account?": the one that is signed in, or another one. */
export async function selectAccount(ctx: Context, request: Request, id: string): Promise<Response> {
  const { interaction, form, signedIn } = await readInteractionForm(ctx, request, id, "account");
  if (isCanceled(form)) return await cancel(ctx, request, interaction);
  const client = await findRequestingClient(ctx, request, interaction.pending);
  const decision = await redirectErrorsTo(
    interaction.pending.responseTarget,
    () => decideStep(ctx, client, { ...interaction, mustSignIn: false, signedIn }),
  );
  // A choice is no sign-in: one that has grown too old meanwhile is not made young by it.
  const isThis = decision.step !== "sign-in" && form.get("account") === "this";
  await continueInteraction(
    ctx,
    interaction,
    isThis
      ? {
        chosen: decision.signedIn.session.sid,
        chosenBySignIn: false,
        mustSignIn: interaction.mustSignIn,
      }
      : { mustSignIn: true },
  );
  return redirect(interactionPath(ctx, id));
}
