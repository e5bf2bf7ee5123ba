import { buttonsIn, linksIn, type PageControl } from "../../util/html_forms.ts";
import type { ApplicationBrowser, ApplicationPage } from "./application_browser.ts";

/** What leads to a sign-in: other links may change something, such as a cart. */
export const signInWords =
  /\b(?:log|sign)[ _-]?(?:in|on)\b|\b(?:o?auth2?|oidc|sso|authorize|continue with|connect)\b/i;

export const signOutWords =
  /\b(?:log|sign)[ _-]?(?:out|off)\b|\bend[ _-]?session\b|\b(?:exit|quit|leave)\b/i;

/** What gets new tokens. */
export const refreshWords = /\b(?:refresh|renew|rotate|reload)/i;

/** What changes something else. */
const changingWords = /\b(?:delete|remove|cancel|revoke|unlink|disconnect|buy|pay|send|save)\b/i;

/** Returns the links and buttons of a page that lead to its own origin or to the lab. */
export function controlsOf(browser: ApplicationBrowser, page: ApplicationPage): PageControl[] {
  const { html, url } = page;
  const links = linksIn(html, url)
    .map(({ href, text }): PageControl => ({ text, method: "GET", url: href, fields: [] }));
  const { origin } = new URL(url);
  return [...buttonsIn(html, url), ...links].filter((control) =>
    new URL(control.url).origin === origin || browser.isLab(control.url)
  );
}

/** Whether a control says something, or leads to a path that does. */
export function says(words: RegExp, { text, url }: PageControl): boolean {
  return words.test(`${text} ${new URL(url).pathname}`);
}

/** Whether pressing a control may change something or end the session. */
export function isHarmless(control: PageControl): boolean {
  return !says(changingWords, control) && !says(signOutWords, control);
}

export async function press(
  browser: ApplicationBrowser,
  { method, url, fields }: PageControl,
  from: string,
): Promise<ApplicationPage> {
  return method === "POST" ? await browser.send(url, fields, from) : await browser.open(url, from);
}
