import type { ResponseData } from "../http/response_data.ts";
import type { Context, RequestContext } from "../issuer/context.ts";
import { findOrCreateBrowser, formToken, signOutPurpose } from "../issuer/sessions/browsers.ts";
import { findSession } from "../issuer/sessions/sessions.ts";
import type { EndpointLink } from "../pages/home.tsx";
import { describeUser } from "./responses/describe_user.ts";
import { frameProps, pageResponse } from "./responses/page_response.ts";

/** The home page: the issuer, its endpoints, and the user who is signed in. */
export async function home(ctx: RequestContext): Promise<ResponseData> {
  const { browser, headers } = await findOrCreateBrowser(ctx);
  const signedIn = await findSession(ctx);
  const page = ctx.settings.pages.home({
    ...await frameProps(ctx),
    issuer: ctx.settings.issuer,
    endpoints: listEndpoints(ctx),
    user: signedIn && describeUser(signedIn.user),
    formToken: await formToken(browser, signOutPurpose),
  });
  return await pageResponse(page, 200, headers);
}

/** Lists the endpoints of the metadata. */
export function listEndpoints(ctx: Context): EndpointLink[] {
  return Object.entries(ctx.metadata())
    .filter(([name]) => name.endsWith("_endpoint") || name === "jwks_uri")
    .map(([name, url]) => ({ name, url: String(url) }));
}
