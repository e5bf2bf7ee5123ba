import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { finishInteraction } from "../../issuer/requests/interactions.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import { decideStep, findRequestingClient, type SignedInDecision } from "./decide_step.ts";
import { completeRequest, denyRequest } from "./finish_request.ts";
import { interactionPath, readInteractionForm } from "./form.ts";

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
  await finishInteraction(ctx, interaction);
  const finish = form.get("decision") === "allow" ? completeRequest : deny;
  return await redirectErrorsTo(responseTarget, () => finish(ctx, decision));
}

async function deny(
  ctx: RequestContext,
  { pending, client, signedIn: { user } }: SignedInDecision,
): Promise<ResponseData> {
  ctx.emit({ type: "consent.denied", user: user.name, client: client.id });
  return await denyRequest(ctx, client, pending);
}
