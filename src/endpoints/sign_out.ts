import { readForm } from "../http/body.ts";
import type { Context } from "../issuer/context.ts";
import { checkFormToken, findBrowser } from "../issuer/sessions/browsers.ts";
import { leave } from "./logout/signed_out_response.ts";

/** What the sign-out forms of our own pages are for. */
export const signOutPurpose = "sign-out";

/** Ends the session, and with it every token that was not meant to outlive it. */
export async function signOut(ctx: Context, request: Request): Promise<Response> {
  await checkFormToken(await findBrowser(ctx, request), signOutPurpose, await readForm(request));
  return await leave(ctx, request, { url: `${ctx.settings.base}/`, name: "Home", by: "redirect" });
}
