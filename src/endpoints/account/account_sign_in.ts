import { readForm } from "../../http/body.ts";
import { redirectResponse } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import {
  type Browser,
  checkFormToken,
  findBrowser,
  formToken,
} from "../../issuer/sessions/browsers.ts";
import { startSession } from "../../issuer/sessions/sessions.ts";
import { authenticateUser } from "../../issuer/users/authenticate_user.ts";
import type { Page } from "../../pages/pages.ts";
import { frameProps, pageResponse } from "../responses/page_response.ts";

const purpose = "account sign-in";

/** Handles the sign-in form of a user whom no application sent. */
export async function signInToAccount(ctx: Context, request: Request): Promise<Response> {
  const form = await readForm(request);
  const browser = await checkFormToken(await findBrowser(ctx, request), purpose, form);
  const authentication = await authenticateUser(ctx, request, form, {});
  if (!authentication) {
    return pageResponse(await signInPage(ctx, request, browser, form.get("username") ?? ""), 422);
  }
  const { headers } = await startSession(ctx, request, authentication);
  return redirectResponse(`${ctx.settings.base}/account`, headers);
}

/** Returns the sign-in page; after a failed attempt with the name that was entered. */
export async function signInPage(
  ctx: Context,
  request: Request,
  browser: Browser,
  failedName?: string,
): Promise<Page> {
  const frame = frameProps(ctx, request);
  return ctx.settings.pages.signIn({
    ...frame,
    clientName: frame.language.words.signIn.yourAccount,
    action: `${ctx.settings.base}/account/sign-in`,
    formToken: await formToken(browser, purpose),
    username: failedName ?? "",
    failed: failedName !== undefined,
  });
}
