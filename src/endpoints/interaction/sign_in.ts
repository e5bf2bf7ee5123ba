import { redirect } from "../../http/answer.ts";
import type { Context } from "../../issuer/context.ts";
import { continueInteraction } from "../../issuer/requests/interactions.ts";
import { openSession } from "../../issuer/sessions/sessions.ts";
import { authenticateUser } from "../../issuer/people/sign_in.ts";
import { showPage } from "../answers/show_page.ts";
import { cancel, isCanceled } from "./cancel.ts";
import { clientOf } from "./client_of.ts";
import { takeForm } from "./form.ts";
import { signInPage } from "./page_for.ts";
import { interactionPath } from "./paths.ts";

/** Takes the sign-in form, then goes on with the request that waits. */
export async function signIn(ctx: Context, request: Request, id: string): Promise<Response> {
  const { waiting, browser, form } = await takeForm(ctx, request, id, "sign-in");
  if (isCanceled(form)) return await cancel(ctx, request, waiting);
  const authenticated = await authenticateUser(ctx, request, form, waiting.asked);
  if (!authenticated) {
    const { asked } = waiting;
    const client = await clientOf(ctx, request, asked);
    const failed = { username: form.get("username") ?? "" };
    return showPage(await signInPage(ctx, { asked, client }, { id, browser }, failed), 422);
  }
  const { session, headers } = await openSession(ctx, request, authenticated);
  await continueInteraction(ctx, waiting, { chosen: session.sid, chosenBySignIn: true, mustSignIn: waiting.mustSignIn });
  return redirect(interactionPath(ctx, id), headers);
}
