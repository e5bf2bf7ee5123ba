import type { ApplicationBrowser, ApplicationPage } from "./application_browser.ts";
import type { CheckedApplication } from "./application_login.ts";
import { controlsOf, press } from "./page_controls.ts";

/** What a drill finds on the pages of an application, unless it was given it. */
export type FoundStep = "refresh" | "logout";

/** Opens a URL of an application, by the button that it shows for it, if it does. */
export async function openStep(
  application: CheckedApplication,
  step: FoundStep,
  browser: ApplicationBrowser,
): Promise<ApplicationPage> {
  const { [step]: url = application.start, buttons = {} } = application;
  const from = buttons[step];
  if (from === undefined) return await openOrSend(url, browser);
  const page = await browser.open(from);
  const { pathname } = new URL(url);
  const control = controlsOf(browser, page)
    .find((each) => each.method === "POST" && new URL(each.url).pathname === pathname);
  return control ? await press(browser, control, page.url) : await openOrSend(url, browser);
}

/** What changes something may need a POST. */
async function openOrSend(
  url: string,
  browser: ApplicationBrowser,
): Promise<ApplicationPage> {
  const page = await browser.open(url);
  return page.status === 404 || page.status === 405 ? await browser.send(url, []) : page;
}
