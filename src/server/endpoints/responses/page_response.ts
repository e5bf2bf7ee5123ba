import type { Settings } from "../../config/settings.ts";
import { type HtmlOptions, htmlResponse } from "../../http/response.ts";
import type { HeaderList, ResponseData } from "../../http/response_data.ts";
import type { RequestContext } from "../../issuer/context.ts";
import type { Brand } from "../../pages/brand.ts";
import type { Language } from "../../pages/languages/languages.ts";
import { type FrameProps, type Page, renderPage } from "../../pages/pages.ts";
import { type StaticFile, staticPath } from "../../pages/static_files.ts";
import { languageOf } from "./page_language.ts";

/** Returns the props that every page needs. */
export function frameProps(ctx: RequestContext): FrameProps {
  return framePropsIn(languageOf(ctx), ctx.settings);
}

/** Returns the props of a page whose language does not depend on the request. */
export function framePropsIn(language: Language, settings: Settings): FrameProps {
  const { base, notice } = settings;
  return { base, brand: brandFor(settings), language, notice };
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
): ResponseData {
  return htmlResponse(renderPage(page), status, headers, options);
}

/** Makes a response of a page of an authorization, which a client may have opened as a popup. */
export function authorizationPageResponse(
  page: Page,
  status = 200,
  headers: HeaderList = [],
): ResponseData {
  return pageResponse(page, status, headers, { keepsOpener: true });
}
