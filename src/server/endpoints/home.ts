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
import type { User } from "../model/user.ts";
import type { FrameProps } from "../pages/frame.tsx";
import type { EndpointLink, HomeProps } from "../pages/home.tsx";
import { english } from "../pages/languages/languages.ts";
import type { DescribedUser } from "../pages/parties.tsx";
import { describeUser, frameProps, framePropsIn, pageResponse } from "./responses/page_response.ts";

/** The home page: the issuer, its endpoints, and the user who is signed in. */
export async function home(ctx: RequestContext): Promise<ResponseData> {
  const { browser, headers } = await findOrCreateBrowser(ctx);
  const session = await findSession(ctx);
  const props = await homeProps(ctx, await frameProps(ctx), browser, session?.user);
  return await pageResponse(ctx.settings.pages.home(props), 200, headers);
}

/** Returns the props of `SignedIn` in English, for a page that replaces it, if a user is signed in. */
export async function signedInProps(
  ctx: RequestContext,
): Promise<HomeProps & { user: DescribedUser } | undefined> {
  const browser = await findBrowser(ctx);
  const session = browser && await findSession(ctx);
  if (!session) return undefined;
  const frame = await framePropsIn(await english.load(), ctx);
  const props = await homeProps(ctx, frame, browser, session.user);
  return { ...props, user: describeUser(session.user) };
}

async function homeProps(
  ctx: RequestContext,
  frame: FrameProps,
  browser: Browser,
  user: User | undefined,
): Promise<HomeProps> {
  return {
    ...frame,
    issuer: ctx.settings.issuer,
    endpoints: listEndpoints(ctx),
    accountPath: pagePath(ctx, "/account"),
    user: user && describeUser(user),
    formToken: await formToken(browser, signOutPurpose),
  };
}

function listEndpoints(ctx: Context): EndpointLink[] {
  return Object.entries(ctx.metadata())
    .filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri")
    .map(([name, url]) => ({ name, url: String(url) }));
}
