import { redirect } from "../../http/response.ts";
import { rememberConsent } from "../../issuer/authorizations/consents.ts";
import type { Context } from "../../issuer/context.ts";
import { finishInteraction } from "../../issuer/requests/interactions.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { findRequestingClient } from "./client_of.ts";
import { completeRequest, denyRequest } from "./conclude.ts";
import { decideStep, type SignedInDecision } from "./decide_step.ts";
import { readInteractionForm } from "./form.ts";
import { interactionPath } from "./paths.ts";

/** Takes the person's answer to "allow access?". */
export async function consent(ctx: Context, request: Request, id: string): Promise<Response> {
  const { interaction, form, signedIn } = await readInteractionForm(ctx, request, id, "consent");
  const { responseTarget } = interaction.pending;
  const client = await findRequestingClient(ctx, request, interaction.pending);
  const decision = await redirectErrorsTo(
    responseTarget,
    () => decideStep(ctx, client, { ...interaction, signedIn, allowed: true }),
  );
  if (decision.step !== "respond") return redirect(interactionPath(ctx, id));
  await finishInteraction(ctx, interaction);
  return await redirectErrorsTo(responseTarget, () => answerFor(ctx, decision, form));
}

/** Only "allow" allows. */
async function answerFor(
  ctx: Context,
  decision: SignedInDecision,
  form: FormParameters,
): Promise<Response> {
  const { pending, client, signedIn: { user } } = decision;
  if (form.get("decision") !== "allow") {
    ctx.emit({ type: "consent.denied", user: user.name, client: client.id });
    return await denyRequest(ctx, decision);
  }
  if (pending.responseTarget) await rememberConsent(ctx, user, client, pending);
  ctx.emit({ type: "consent.given", user: user.name, client: client.id, scope: pending.scope });
  return await completeRequest(ctx, decision);
}
