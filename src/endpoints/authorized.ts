import { readQuery } from "../http/body.ts";
import { browserEndpointUrl, type Context } from "../issuer/context.ts";
import type { AuthorizedProps } from "../pages/authorized.tsx";
import { type Callback, readCallback } from "../protocol/callback.ts";
import { frameProps, pageResponse } from "./responses/page_response.ts";

/** Serves as a redirect URI for trying things by hand: shows the response and the next step. */
export function authorized(ctx: Context, request: Request): Response {
  const callback = readCallback(readQuery(request));
  return pageResponse(ctx.settings.pages.authorized(authorizedProps(ctx, request, callback)));
}

/** Returns what the page shows about a callback of an unknown flow. */
export function authorizedProps(
  ctx: Context,
  request: Request,
  callback: Callback,
): AuthorizedProps {
  const { origin } = new URL(ctx.settings.frontChannelUrl);
  const shared = {
    ...frameProps(ctx),
    state: callback.state,
    tokenEndpoint: browserEndpointUrl(ctx, "token_endpoint"),
    // The browser came here with the redirect URI of the request.
    redirectUri: `${origin}${new URL(request.url).pathname}`,
  };
  if (callback.hasError) {
    return {
      ...shared,
      hasError: true,
      error: callback.error,
      errorDescription: callback.errorDescription,
      code: "",
    };
  }
  return { ...shared, hasError: false, error: "", code: callback.code };
}
