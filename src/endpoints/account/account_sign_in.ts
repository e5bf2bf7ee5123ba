import { readForm } from "../../http/body.ts";
import { redirect } from "../../http/response.ts";
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

/** Takes the sign-in form of somebody whom no application sends. */
export async function signInToAccount(ctx: Context, request: Request): Promise<Response> {
  const browser = await findBrowser(ctx, request);
  const form = await readForm(request);
  await checkFormToken(browser, purpose, form);
  const authenticated = await authenticateUser(ctx, request, form, {});
  if (!authenticated) {
    return pageResponse(await signInPage(ctx, browser!, form.get("username") ?? ""), 422);
  }
  const { headers } = await startSession(ctx, request, authenticated);
  return redirect(`${ctx.settings.base}/account`, headers);
}

/** The sign-in page; once more, with the name that was typed, where it did not convince. */
export async function signInPage(ctx: Context, browser: Browser, failed?: string): Promise<Page> {
  return ctx.settings.pages.signIn({
    ...frameProps(ctx),
    clientName: "your connected applications",
    action: `${ctx.settings.base}/account/sign-in`,
    formToken: await formToken(browser, purpose),
    username: failed ?? "",
    failed: failed !== undefined,
  });
}
