import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { finishInteraction } from "../../issuer/requests/interactions.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import {
  allowsPartialConsent,
  narrowRequest,
  refusableScopes,
} from "../../protocol/partial_consent.ts";
import type { PendingRequest } from "../../protocol/pending_request.ts";
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
  const refused = refusedScopes(form, decision.pending);
  const { settings } = ctx;
  // The setting may have changed since the page was shown, which then must be shown again.
  if (refused.length > 0 && !allowsPartialConsent(settings, client, decision.pending)) {
    return redirectResponse(interactionPath(ctx, interaction));
  }
  await finishInteraction(ctx, interaction);
  const granted = withoutScopes(ctx, decision, refused);
  const isAllowed = form.get("decision") === "allow" && grantsAnything(granted.pending);
  const finish = isAllowed ? completeRequest : deny;
  return await redirectErrorsTo(responseTarget, () => finish(ctx, granted));
}

/** Returns the scopes that the page offered and the user did not tick. */
function refusedScopes(form: FormParameters, { scope }: PendingRequest): string[] {
  const offered = form.get("choices")?.split(" ") ?? [];
  const allowed = form.all("scope");
  return refusableScopes(scope).filter((token) =>
    offered.includes(token) && !allowed.includes(token)
  );
}

function withoutScopes(
  { settings }: Context,
  decision: SignedInDecision,
  refused: readonly string[],
): SignedInDecision {
  const { pending } = decision;
  const granted = pending.scope.filter((token) => !refused.includes(token));
  return { ...decision, pending: narrowRequest(pending, granted, settings), refused };
}

/** A user who unticks everything allows nothing, whatever the button says. */
function grantsAnything({ scope, authorizationDetails = [] }: PendingRequest): boolean {
  return scope.length + authorizationDetails.length > 0;
}

async function deny(
  ctx: RequestContext,
  { pending, client, signedIn: { user } }: SignedInDecision,
): Promise<ResponseData> {
  ctx.emit({ type: "consent.denied", user: user.name, client: client.id });
  return await denyRequest(ctx, client, pending);
}
