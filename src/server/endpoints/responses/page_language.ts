import { acceptedLanguages } from "../../http/accept.ts";
import type { RequestContext } from "../../issuer/context.ts";
import { chooseLanguage, type Language } from "../../pages/languages/languages.ts";
import { parseUrl } from "../../util/addresses/uri.ts";

const parameter = "ui_locales";

/**
 * Returns the language of the page that a request gets: what the application asks for comes before
 * what the browser accepts (OpenID Connect Core, section 3.1.2.1; RFC 9110, section 12.5.4).
 */
export async function languageOf({ settings, request }: RequestContext): Promise<Language> {
  // The error page also appears for requests whose URL cannot be parsed.
  const requested = parseUrl(request.url)?.searchParams.get(parameter)?.split(" ") ?? [];
  const preferred = [...requested, ...acceptedLanguages(request)];
  return await chooseLanguage(preferred, settings.frame.languages).load();
}

/** Returns the query that keeps the language of an application's request on the pages after it. */
export function languageQuery(uiLocales: string | undefined): string {
  return uiLocales === undefined ? "" : `?${new URLSearchParams({ [parameter]: uiLocales })}`;
}
