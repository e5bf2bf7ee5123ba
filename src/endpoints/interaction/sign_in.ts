import { redirect } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import { continueInteraction } from "../../issuer/requests/interactions.ts";
import { startSession } from "../../issuer/sessions/sessions.ts";
import { authenticateUser } from "../../issuer/users/authenticate_user.ts";
import { pageResponse } from "../responses/page_response.ts";
import { cancel, isCanceled } from "./cancel.ts";
import { findRequestingClient } from "./client_of.ts";
import { readInteractionForm } from "./form.ts";
import { signInPage } from "./page_for.ts";
import { interactionPath } from "./paths.ts";

/** Takes the sign-in form, then goes on with the request that waits. */
export async function signIn(ctx: Context, request: Request, id: string): Promise<Response> {
  const { interaction, browser, form } = await readInteractionForm(ctx, request, id, "sign-in");
  if (isCanceled(form)) return await cancel(ctx, request, interaction);
  const authenticated = await authenticateUser(ctx, request, form, interaction.pending);
  if (!authenticated) {
    const { pending } = interaction;
    const client = await findRequestingClient(ctx, request, pending);
    const failed = { username: form.get("username") ?? "" };
    return pageResponse(await signInPage(ctx, { pending, client }, { id, browser }, failed), 422);
  }
  const { session, headers } = await startSession(ctx, request, authenticated);
  await continueInteraction(ctx, interaction, {
    chosen: session.sid,
    chosenBySignIn: true,
    mustSignIn: interaction.mustSignIn,
  });
  return redirect(interactionPath(ctx, id), headers);
}
