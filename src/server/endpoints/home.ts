import type { ResponseData } from "../http/response_data.ts";
import { pagePath } from "../issuer/active_features.ts";
import type { Context, RequestContext } from "../issuer/context.ts";
import {
  type Browser,
  findBrowser,
  findOrCreateBrowser,
  formToken,
  signOutPurpose,
} from "../issuer/sessions/browsers.ts";
import { findSession } from "../issuer/sessions/sessions.ts";
import type { FrameProps } from "../pages/frame.tsx";
import type { EndpointLink, HomeProps } from "../pages/home.tsx";
import { english } from "../pages/languages/languages.ts";
import { describeUser, frameProps, framePropsIn, pageResponse } from "./responses/page_response.ts";

/** The home page: the issuer, its endpoints, and the user who is signed in. */
export async function home(ctx: RequestContext): Promise<ResponseData> {
  const { browser, headers } = await findOrCreateBrowser(ctx);
  const props = await homeProps(ctx, browser, await frameProps(ctx));
  return await pageResponse(ctx.settings.pages.home(props), 200, headers);
}

/**
 * Returns what the page shows in English, for a page that replaces it. A browser without a session
 * gets no form to sign out.
 */
export async function plainHomeProps(ctx: RequestContext): Promise<HomeProps> {
  const frame = await framePropsIn(await english.load(), ctx);
  return await homeProps(ctx, await findBrowser(ctx), frame);
}

async function homeProps(
  ctx: RequestContext,
  browser: Browser | undefined,
  frame: FrameProps,
): Promise<HomeProps> {
  const signedIn = browser && await findSession(ctx);
  return {
    ...frame,
    issuer: ctx.settings.issuer,
    endpoints: listEndpoints(ctx),
    accountPath: pagePath(ctx, "/account"),
    user: signedIn && describeUser(signedIn.user),
    formToken: browser ? await formToken(browser, signOutPurpose) : "",
  };
}

function listEndpoints(ctx: Context): EndpointLink[] {
  return Object.entries(ctx.metadata())
    .filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri")
    .map(([name, url]) => ({ name, url: String(url) }));
}
