import { type HeaderList, html } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import { type FrameProps, type Page, renderPage } from "../../pages/pages.ts";

/** What every page is given. */
export function frameProps(ctx: Context): FrameProps {
  return { base: ctx.settings.base, notice: ctx.settings.notice };
}

/** Answers with a page; the URLs that it shows in frames are named, and no others are loaded. */
export function pageResponse(
  page: Page,
  status = 200,
  headers: HeaderList = [],
  frames: readonly string[] = [],
): Response {
  return html(renderPage(page), status, headers, frames);
}
