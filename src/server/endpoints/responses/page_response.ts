import type { Settings } from "../../config/settings.ts";
import { acceptedLanguages } from "../../http/accept.ts";
import { type HtmlOptions, htmlResponse } from "../../http/response.ts";
import type { HeaderList, ResponseData } from "../../http/response_data.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import type { User } from "../../model/user.ts";
import type { Brand } from "../../pages/brand.ts";
import {
  chooseLanguage,
  type Language,
  type TextLoaders,
  withTexts,
} from "../../pages/languages/languages.ts";
import { type FrameProps, loadPages, type Page, renderPage } from "../../pages/pages.ts";
import type { DescribedUser } from "../../pages/parties.tsx";
import type { StaticFile } from "../../pages/static_files.ts";
import { pathWithinIssuer } from "../../protocol/issuer_url.ts";
import { parseUrl } from "../../util/addresses/uri.ts";

const parameter = "ui_locales";

/**
 * Returns the props of the page that a request gets. The language that the application asks for
 * comes before what the browser accepts (OpenID Connect Core, section 3.1.2.1; RFC 9110, section
 * 12.5.4).
 */
export async function frameProps(ctx: RequestContext): Promise<FrameProps> {
  const { settings, request } = ctx;
  // The error page also appears for requests whose URL cannot be parsed.
  const url = parseUrl(request.url);
  const path = url && pathWithinIssuer(url.pathname, settings.base);
  const requested = url?.searchParams.get(parameter)?.split(" ") ?? [];
  const preferred = [...requested, ...acceptedLanguages(request.headers)];
  const language = await chooseLanguage(preferred, settings.languages).load();
  return await framePropsIn(language, ctx, path);
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
export async function framePropsIn(
  language: Language,
  ctx: Context,
  path?: string,
): Promise<FrameProps> {
  const { base, notice } = ctx.settings;
  const brand = await brandFor(ctx.settings);
  return { base, brand, language, notice: ctx.hooks.notice?.(notice, path) ?? notice };
}

/** Returns the brand as pages show it, with the URLs of its files. */
export async function brandFor({ base, brand }: Settings): Promise<Brand> {
  const { logo, stylesheet, ...texts } = brand;
  const { staticPath } = await loadPages();
  const urlOf = ({ path }: StaticFile) => `${base}/static/${path}`;
  return {
    ...texts,
    logo: logo ? urlOf(logo) : staticPath(base, "icon.svg"),
    stylesheet: stylesheet && urlOf(stylesheet),
  };
}

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

/** Describes a user by what they know themselves by: the name and the e-mail address. */
export function describeUser({ name: userName, claims }: User): DescribedUser {
  return { userName, name: shownText(claims.name), email: shownText(claims.email) };
}

function shownText(claim: unknown): string | undefined {
  return typeof claim === "string" && claim.trim() !== "" ? claim : undefined;
}

/** Returns the query that keeps the language of an application's request on the pages after it. */
export function languageQuery(uiLocales: string | undefined): string {
  return uiLocales === undefined ? "" : `?${new URLSearchParams({ [parameter]: uiLocales })}`;
}
