import { redirect } from "../http/answer.ts";
import { readForm } from "../http/body.ts";
import { checkFormToken, recogniseBrowser } from "../issuer/browsers.ts";
import type { Context } from "../issuer/context.ts";
import { askForSignIn, chooseSession, findInteraction } from "../issuer/interactions.ts";
import { findSession } from "../issuer/sessions.ts";
import { formPurpose, interactionPath } from "./interaction_pages.ts";

/** Takes the answer to "which account?": the one that is signed in, or another one. */
export async function selectAccount(ctx: Context, request: Request, id: string): Promise<Response> {
  const browser = await recogniseBrowser(ctx, request);
  const waiting = await findInteraction(ctx, id, browser);
  const form = await readForm(request);
  const signedIn = await findSession(ctx, request);
  await checkFormToken(browser, formPurpose("account", id, signedIn?.session.sid), form);
  if (signedIn && form.get("account") === "this") await chooseSession(ctx, id, waiting, signedIn.session.sid);
  else await askForSignIn(ctx, id, waiting);
  return redirect(interactionPath(ctx, id));
}
