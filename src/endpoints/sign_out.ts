import { readForm } from "../http/body.ts";
import type { Context } from "../issuer/context.ts";
import { checkFormToken, findBrowser, signOutPurpose } from "../issuer/sessions/browsers.ts";
import { type NextPage, signedOutResponse } from "./logout/signed_out_response.ts";

/** Ends the session, and with it every token that was not meant to outlive it. */
export async function signOut(ctx: Context, request: Request): Promise<Response> {
  await checkFormToken(
    ctx,
    await findBrowser(ctx, request),
    signOutPurpose,
    await readForm(ctx.apply, request),
  );
  const home: NextPage = { url: `${ctx.settings.base}/`, by: "redirect" };
  return await signedOutResponse(ctx, request, home);
}
