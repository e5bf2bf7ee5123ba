import { readQuery } from "../http/body.ts";
import type { Callback } from "../protocol/callback.ts";
import { readCallback } from "../protocol/callback.ts";
import type { Context } from "../issuer/context.ts";
import type { AuthorizedProps } from "../pages/authorized.tsx";
import { frame, showPage } from "./show_page.ts";

/** The client's own side, for trying things by hand: shows what came back, and how to go on. */
export function authorized(ctx: Context, request: Request): Response {
  const props = authorizedProps(ctx, readCallback(readQuery(request)));
  return showPage(ctx.config.pages.authorized(props));
}

/** What the page says of a callback when nothing is known of the flow it belongs to. */
export function authorizedProps(ctx: Context, callback: Callback): AuthorizedProps {
  const shared = {
    ...frame(ctx),
    state: callback.state,
    tokenEndpoint: String(ctx.metadata.token_endpoint),
    startAgain: `${ctx.config.base}/`,
  };
  if (callback.hasError) return { ...shared, hasError: true, error: callback.error, errorDescription: callback.errorDescription, code: "" };
  return { ...shared, hasError: false, error: "", code: callback.code };
}
