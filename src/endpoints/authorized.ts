import { readQuery } from "../http/body.ts";
import { browserEndpointUrl, type Context } from "../issuer/context.ts";
import type { AuthorizedProps } from "../pages/authorized.tsx";
import { type Callback, readCallback } from "../protocol/callback.ts";
import { frameProps, pageResponse } from "./responses/page_response.ts";

/** A client's redirect URI, for trying things by hand: shows what came back, and how to go on. */
export function authorized(ctx: Context, request: Request): Response {
  return pageResponse(
    ctx.settings.pages.authorized(authorizedProps(ctx, readCallback(readQuery(request)))),
  );
}

/** What the page says of a callback when nothing is known of the flow it belongs to. */
export function authorizedProps(ctx: Context, callback: Callback): AuthorizedProps {
  const { base } = ctx.settings;
  const shared = {
    ...frameProps(ctx),
    state: callback.state,
    tokenEndpoint: browserEndpointUrl(ctx, "token_endpoint"),
    startAgain: `${base}/`,
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
