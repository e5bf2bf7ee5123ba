import { redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { continueInteraction } from "../../issuer/requests/interactions.ts";
import { startSession } from "../../issuer/sessions/sessions.ts";
import { authenticateUser } from "../../issuer/users/authenticate_user.ts";
import { unsettledState } from "../../protocol/next_step.ts";
import { authorizationPageResponse } from "../responses/page_response.ts";
import { findRequestingClient } from "./decide_step.ts";
import { cancelRequest } from "./finish_request.ts";
import { interactionPath, isCanceled, readInteractionForm } from "./form.ts";
import { signInPage } from "./page_for.ts";

/** Handles the sign-in form, then continues with the pending request. */
export async function signIn(ctx: RequestContext, id: string): Promise<ResponseData> {
  const { interaction, form } = await readInteractionForm(ctx, id, "sign-in");
  if (isCanceled(form)) return await cancelRequest(ctx, interaction);
  const { pending, progress } = interaction;
  ctx.note({ client: pending.clientId });
  const authentication = await authenticateUser(ctx, form, pending);
  if (!authentication) {
    const client = await findRequestingClient(ctx, pending);
    const page = await signInPage(ctx, { pending, client }, interaction, form);
    return await authorizationPageResponse(page, 422);
  }
  const { session, headers } = await startSession(ctx, authentication);
  const before = unsettledState(progress);
  await continueInteraction(ctx, interaction, { state: "signed-in", sid: session.sid, before });
  return redirectResponse(interactionPath(ctx, interaction), headers);
}
