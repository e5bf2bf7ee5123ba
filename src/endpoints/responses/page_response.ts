import type { Settings } from "../../config/settings.ts";
import { type HeaderList, type HtmlOptions, htmlResponse } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import type { Brand } from "../../pages/brand.ts";
import { languages } from "../../pages/languages/languages.ts";
import { type FrameProps, type Page, renderPage } from "../../pages/pages.ts";
import { type StaticFile, staticPath } from "../../pages/static_files.ts";
import { languageOf } from "./page_language.ts";

/**
 * Returns the props that every page needs. A page for developers has no request, and is English.
 */
export function frameProps(ctx: Context, request?: Request): FrameProps {
  const { base, notice } = ctx.settings;
  const language = request ? languageOf(ctx, request) : languages.en;
  return { base, brand: brandFor(ctx.settings), language, notice };
}

/** Returns the brand as pages show it, with the URLs of its files. */
export function brandFor({ base, brand }: Settings): Brand {
  const { logo, stylesheet, ...texts } = brand;
  const urlOf = ({ path }: StaticFile) => `${base}/static/${path}`;
  return {
    ...texts,
    logo: logo ? urlOf(logo) : staticPath(base, "icon.svg"),
    stylesheet: stylesheet && urlOf(stylesheet),
  };
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
