import type { Settings } from "../../config/settings.ts";
import { type HtmlOptions, htmlResponse } from "../../http/response.ts";
import type { HeaderList, ResponseData } from "../../http/response_data.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import type { Brand } from "../../pages/brand.ts";
import type { Language } from "../../pages/languages/languages.ts";
import { type TextLoaders, withTexts } from "../../pages/languages/texts.ts";
import { type FrameProps, loadPages, type Page, renderPage } from "../../pages/pages.ts";
import type { StaticFile } from "../../pages/static_files.ts";
import { languageOf } from "./page_language.ts";

/** Returns the props that every page needs. */
export async function frameProps(ctx: RequestContext): Promise<FrameProps> {
  return await framePropsIn(await languageOf(ctx), ctx);
}

/** Returns the props that every page of a feature needs. */
export async function framePropsWith<Texts extends object>(
  ctx: RequestContext,
  texts: TextLoaders<Texts>,
): Promise<FrameProps<Texts>> {
  const frame = await frameProps(ctx);
  return { ...frame, language: await withTexts(frame.language, texts) };
}

/** Returns the props of a page whose language does not depend on the request. */
export async function framePropsIn(language: Language, ctx: Context): Promise<FrameProps> {
  const { base, notice } = ctx.settings;
  const brand = await brandFor(ctx.settings);
  return { base, brand, language, notice: ctx.notice?.() ?? notice };
}

/** Returns the brand as pages show it, with the URLs of its files. */
export async function brandFor({ base, frame: { brand } }: Settings): Promise<Brand> {
  const { logo, stylesheet, ...texts } = brand;
  const { staticPath } = await loadPages();
  const urlOf = ({ path }: StaticFile) => `${base}/static/${path}`;
  return {
    ...texts,
    logo: logo ? urlOf(logo) : staticPath(base, "icon.svg"),
    stylesheet: stylesheet && urlOf(stylesheet),
  };
}

/** Makes a response of a page. */
export async function pageResponse(
  page: Page | Promise<Page>,
  status = 200,
  headers: HeaderList = [],
  options: HtmlOptions = {},
): Promise<ResponseData> {
  return htmlResponse(await renderPage(await page), status, headers, options);
}

/** Makes a response of a page of an authorization, which a client may have opened as a popup. */
export async function authorizationPageResponse(
  page: Page | Promise<Page>,
  status = 200,
  headers: HeaderList = [],
): Promise<ResponseData> {
  return await pageResponse(page, status, headers, { keepsOpener: true });
}
