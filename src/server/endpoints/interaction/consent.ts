import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { finishInteraction } from "../../issuer/requests/interactions.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import {
  allowsPartialConsent,
  grantsAnything,
  type PendingRequest,
  refusableScopes,
  withoutScopes,
} from "../../protocol/pending_request.ts";
import { decideStep, findRequestingClient } from "./decide_step.ts";
import { completeRequest, denyConsent } from "./finish_request.ts";
import { interactionPath, readInteractionForm, showedScope } from "./form.ts";

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
  const refused = refusedScopes(form, decision.pending);
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

/** Returns the scopes that the page offered and the user did not tick. */
function refusedScopes(form: FormParameters, { scope }: PendingRequest): string[] {
  const offered = form.get("choices")?.split(" ") ?? [];
  const allowed = form.all("scope");
  return refusableScopes(scope).filter((token) =>
    offered.includes(token) && !allowed.includes(token)
  );
}
