import { redirect } from "../http/answer.ts";
import { readForm } from "../http/body.ts";
import { checkFormToken, knownBrowser } from "../issuer/browsers.ts";
import type { Context } from "../issuer/context.ts";
import { endSession } from "../issuer/sessions.ts";

/** What the sign-out form of the home page is for. */
export const signOutPurpose = "sign-out";

/** Ends the session, and with it every token that was not meant to outlive it. */
export async function signOut(ctx: Context, request: Request): Promise<Response> {
  await checkFormToken(await knownBrowser(ctx, request), signOutPurpose, await readForm(request));
  return redirect(`${ctx.settings.base}/`, await endSession(ctx, request));
}
