import type { HeaderList } from "../../http/answer.ts";
import { html } from "../../http/answer.ts";
import type { FrameProps, Page } from "../../pages/pages.ts";
import { renderPage } from "../../pages/pages.ts";
import type { Context } from "../../issuer/context.ts";

/** What every page is given. */
export function frame(ctx: Context): FrameProps {
  return { base: ctx.settings.base, notice: ctx.settings.notice };
}

/** Answers with a page; the URLs that it shows in frames are named, and no others are loaded. */
export function showPage(page: Page, status = 200, headers: HeaderList = [], frames: readonly string[] = []): Response {
  return html(renderPage(page), status, headers, frames);
}
