import { readForm } from "../http/incoming_request.ts";
import type { ResponseData } from "../http/response_data.ts";
import type { RequestContext } from "../issuer/context.ts";
import { checkFormToken, findBrowser, signOutPurpose } from "../issuer/sessions/browsers.ts";
import { type NextPage, signedOutResponse } from "./responses/signed_out_response.ts";

/** Ends the session, and with it every token that was not meant to outlive it. */
export async function signOut(ctx: RequestContext): Promise<ResponseData> {
  await checkFormToken(ctx, await findBrowser(ctx), signOutPurpose, await readForm(ctx));
  const home: NextPage = { url: `${ctx.settings.base}/`, by: "redirect" };
  return await signedOutResponse(ctx, home);
}
