import { formToken, meetBrowser } from "../issuer/sessions/browsers.ts";
import type { Context } from "../issuer/context.ts";
import { findSession } from "../issuer/sessions/sessions.ts";
import { frame, showPage } from "./answers/show_page.ts";
import { signOutPurpose } from "./sign_out.ts";

/** What this server is, and where its endpoints are. */
export async function home(ctx: Context, request: Request): Promise<Response> {
  const { browser, headers } = await meetBrowser(ctx, request);
  const signedIn = await findSession(ctx, request);
  const page = ctx.settings.pages.home({
    ...frame(ctx),
    issuer: ctx.settings.issuer,
    endpoints: endpointsOf(ctx),
    signedInAs: signedIn?.user.name,
    formToken: await formToken(browser, signOutPurpose),
  });
  return showPage(page, 200, headers);
}

function endpointsOf(ctx: Context): Array<{ name: string; url: string }> {
  return Object.entries(ctx.metadata)
    .filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri")
    .map(([name, url]) => ({ name, url: String(url) }));
}
