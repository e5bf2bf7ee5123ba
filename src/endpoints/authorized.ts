import { readQuery } from "../http/body.ts";
import type { Callback } from "../protocol/callback.ts";
import { readCallback } from "../protocol/callback.ts";
import type { Context } from "../issuer/context.ts";
import { frontChannelUrl } from "../issuer/context.ts";
import type { AuthorizedProps } from "../pages/authorized.tsx";
import { frame, showPage } from "./answers/show_page.ts";

/** A client's redirect URI, for trying things by hand: shows what came back, and how to go on. */
export function authorized(ctx: Context, request: Request): Response {
  return showPage(ctx.settings.pages.authorized(authorizedProps(ctx, readCallback(readQuery(request)))));
}

/** What the page says of a callback when nothing is known of the flow it belongs to. */
export function authorizedProps(ctx: Context, callback: Callback): AuthorizedProps {
  const { base } = ctx.settings;
  const shared = { ...frame(ctx), state: callback.state, tokenEndpoint: frontChannelUrl(ctx, "token_endpoint"), startAgain: `${base}/` };
  if (callback.hasError) return { ...shared, hasError: true, error: callback.error, errorDescription: callback.errorDescription, code: "" };
  return { ...shared, hasError: false, error: "", code: callback.code };
}
