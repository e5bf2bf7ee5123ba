import { type HeaderList, type HtmlOptions, htmlResponse } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import { languages } from "../../pages/languages/languages.ts";
import { type FrameProps, type Page, renderPage } from "../../pages/pages.ts";
import { languageOf } from "./page_language.ts";

/** Returns the props that every page needs. A page for developers has no request, and is English. */
export function frameProps(ctx: Context, request?: Request): FrameProps {
  const { base, notice } = ctx.settings;
  return { base, notice, language: request ? languageOf(ctx, request) : languages.en };
}

/** Makes a response of a page. */
export function pageResponse(
  page: Page,
  status = 200,
  headers: HeaderList = [],
  options: HtmlOptions = {},
): Response {
  return htmlResponse(renderPage(page), status, headers, options);
}

/** Makes a response of a page of an authorization, which a client may have opened as a popup. */
export function authorizationPageResponse(
  page: Page,
  status = 200,
  headers: HeaderList = [],
): Response {
  return pageResponse(page, status, headers, { keepsOpener: true });
}
