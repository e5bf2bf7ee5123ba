import { redirectResponse } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import { finishInteraction } from "../../issuer/requests/interactions.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import { decideStep, findRequestingClient, type SignedInDecision } from "./decide_step.ts";
import { completeRequest, denyRequest } from "./finish_request.ts";
import { interactionPath, readInteractionForm } from "./form.ts";

/** Handles the consent form. Only its button "Allow" allows. */
export async function consent(ctx: Context, request: Request, id: string): Promise<Response> {
  const { interaction, form, signedIn } = await readInteractionForm(ctx, request, id, "consent");
  const { responseTarget } = interaction.pending;
  const client = await findRequestingClient(ctx, request, interaction.pending);
  const decision = await redirectErrorsTo(
    responseTarget,
    () => decideStep(ctx, client, { ...interaction, signedIn, allowedBy: "user" }),
  );
  if (decision.step !== "respond") return redirectResponse(interactionPath(ctx, interaction));
  await finishInteraction(ctx, interaction);
  const finish = form.get("decision") === "allow" ? completeRequest : deny;
  return await redirectErrorsTo(responseTarget, () => finish(ctx, request, decision));
}

async function deny(
  ctx: Context,
  request: Request,
  { pending, client, signedIn: { user } }: SignedInDecision,
): Promise<Response> {
  ctx.emit({ type: "consent.denied", user: user.name, client: client.id });
  return await denyRequest(ctx, request, client, pending);
}
