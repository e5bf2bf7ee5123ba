import { redirect } from "../../http/answer.ts";
import { readForm } from "../../http/body.ts";
import type { Page } from "../../pages/pages.ts";
import type { Browser } from "../../issuer/sessions/browsers.ts";
import { checkFormToken, formToken, knownBrowser } from "../../issuer/sessions/browsers.ts";
import type { Context } from "../../issuer/context.ts";
import { openSession } from "../../issuer/sessions/sessions.ts";
import { authenticateUser } from "../../issuer/people/sign_in.ts";
import { frame, showPage } from "../answers/show_page.ts";

const purpose = "account sign-in";

/** Takes the sign-in form of somebody whom no application sends. */
export async function signInToAccount(ctx: Context, request: Request): Promise<Response> {
  const browser = await knownBrowser(ctx, request);
  const form = await readForm(request);
  await checkFormToken(browser, purpose, form);
  const authenticated = await authenticateUser(ctx, request, form, {});
  if (!authenticated) return showPage(await signInPage(ctx, browser!, form.get("username") ?? ""), 422);
  const { headers } = await openSession(ctx, request, authenticated);
  return redirect(`${ctx.settings.base}/account`, headers);
}

/** The sign-in page; once more, with the name that was typed, where it did not convince. */
export async function signInPage(ctx: Context, browser: Browser, failed?: string): Promise<Page> {
  return ctx.settings.pages.signIn({
    ...frame(ctx),
    clientName: "your connected applications",
    action: `${ctx.settings.base}/account/sign-in`,
    formToken: await formToken(browser, purpose),
    username: failed ?? "",
    failed: failed !== undefined,
  });
}
