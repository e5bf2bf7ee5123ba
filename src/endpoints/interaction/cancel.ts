import type { Context } from "../../issuer/context.ts";
import { finishInteraction, type PendingInteraction } from "../../issuer/requests/interactions.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import { findRequestingClient } from "./client_of.ts";
import { denyRequest } from "./conclude.ts";

/** Whether a form was sent by its button "Cancel". */
export function isCanceled(form: FormParameters): boolean {
  return form.get("decision") === "cancel";
}

/**
 * Ends a request that its person gave up, and tells the client, which would wait for ever
 * otherwise.
 */
export async function cancel(
  ctx: Context,
  request: Request,
  interaction: PendingInteraction,
): Promise<Response> {
  const { pending } = interaction;
  const client = await findRequestingClient(ctx, request, pending);
  await finishInteraction(ctx, interaction);
  ctx.emit({ type: "request.canceled", client: client.id });
  return await redirectErrorsTo(
    pending.responseTarget,
    () => denyRequest(ctx, { client, pending }),
  );
}
