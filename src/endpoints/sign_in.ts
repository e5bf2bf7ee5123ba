import { redirect } from "../http/answer.ts";
import { readForm } from "../http/body.ts";
import { checkFormToken, recogniseBrowser } from "../issuer/browsers.ts";
import type { Context } from "../issuer/context.ts";
import { chooseSession, findInteraction } from "../issuer/interactions.ts";
import { openSession } from "../issuer/sessions.ts";
import { authenticateUser } from "../issuer/sign_in.ts";
import { decideStep } from "./decide_step.ts";
import { formPurpose, interactionPath, pageFor } from "./interaction_pages.ts";
import { showPage } from "./show_page.ts";

/** Takes the sign-in form, then goes on with the request that waits. */
export async function signIn(ctx: Context, request: Request, id: string): Promise<Response> {
  const browser = await recogniseBrowser(ctx, request);
  const waiting = await findInteraction(ctx, id, browser);
  const form = await readForm(request);
  await checkFormToken(browser, formPurpose("sign-in", id), form);
  const user = await authenticateUser(ctx, request, form);
  if (!user) {
    const { client, asked } = await decideStep(ctx, { asked: waiting.request });
    const username = form.get("username") ?? "";
    return showPage(await pageFor(ctx, { step: "sign-in", client, asked }, id, browser, { username }), 422);
  }
  const { session, headers } = await openSession(ctx, request, user);
  await chooseSession(ctx, id, waiting, session.sid);
  return redirect(interactionPath(ctx, id), headers);
}
