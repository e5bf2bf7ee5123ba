import { redirect } from "../http/answer.ts";
import { readForm } from "../http/body.ts";
import { checkFormToken, recogniseBrowser } from "../issuer/browsers.ts";
import type { Context } from "../issuer/context.ts";
import { endSession } from "../issuer/sessions.ts";

/** What the sign-out form of the home page is for. */
export const signOutPurpose = "sign-out";

/** Ends the session, and with it every token that was not meant to outlive it. */
export async function signOut(ctx: Context, request: Request): Promise<Response> {
  const browser = await recogniseBrowser(ctx, request);
  await checkFormToken(browser, signOutPurpose, await readForm(request));
  return redirect(`${ctx.config.base}/`, await endSession(ctx, request));
}
