import { type HeaderList, htmlResponse } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import { type FrameProps, type Page, renderPage } from "../../pages/pages.ts";

/** Returns the props that every page needs. */
export function frameProps(ctx: Context): FrameProps {
  return { base: ctx.settings.base, notice: ctx.settings.notice };
}

/** Makes a response of a page. Only the given URLs can be shown in frames. */
export function pageResponse(
  page: Page,
  status = 200,
  headers: HeaderList = [],
  frames: readonly string[] = [],
): Response {
  return htmlResponse(renderPage(page), status, headers, frames);
}
