import type { HeadlessBrowser } from "../../browser/headless_browser.ts";
import type { UserActions } from "../../browser/user_actions.ts";
import { formsWithoutInput } from "../../util/html_forms.ts";
import { LabError } from "../../util/lab_error.ts";
import type { ApplicationBrowser, ApplicationPage } from "./application_browser.ts";
import { aboutField, withoutQuery } from "./drill_access.ts";

/** More buttons than a page of sign-in methods has. */
const maxForms = 5;

/** An application to drill. */
export interface DrillApplication extends Pick<UserActions, "user" | "password"> {
  /** The URL that begins a login: it leads to the lab, directly or through a button. */
  start: string;
  /**
   * A URL that only someone who is signed in can open; for anyone else, it leads to the lab, or
   * responds with an error.
   *
   * @default the start URL
   */
  check?: string | undefined;
  /**
   * A URL that makes the application refresh its tokens, for someone who is signed in. If that
   * fails, it leads to the lab, or responds with an error.
   *
   * @default none: the drill refreshes nothing
   */
  refresh?: string | undefined;
  /**
   * A URL that signs the user out: of the application, and of the lab if it leads there.
   *
   * @default none: the drill does not sign out
   */
  logout?: string | undefined;
}

/** What a login needs besides the application. */
export interface LoginBrowsers {
  /** Opens a browser without cookies for the application. */
  openBrowser(): ApplicationBrowser;
  /** Opens a browser that is not signed in for the lab. */
  openLabBrowser(): ServerBrowser;
}

/** The part of a user's browser that shows the pages of the lab. */
export type ServerBrowser = Pick<HeadlessBrowser, "authorize" | "signOut">;

/** A browser after a login, as two parts: one for the application, one for the lab. */
export interface SignedInBrowser {
  browser: ApplicationBrowser;
  labBrowser: ServerBrowser;
}

/**
 * Signs in to an application as a browser does. Resolves only if the callback responds without
 * an error, and the check URL then knows the user.
 */
export async function logIn(
  { start, check = start, user, password }: DrillApplication,
  { openBrowser, openLabBrowser }: LoginBrowsers,
): Promise<SignedInBrowser> {
  const browser = openBrowser();
  const labBrowser = openLabBrowser();
  const url = await aboutField("start", () => beginLogin(browser, start));
  const { callback, parameters, page } = await labBrowser.authorize(url, { user, password });
  const landing = page === undefined
    ? await browser.open(callback)
    : await browser.send(callback, Object.entries(parameters));
  if (landing.firstStatus >= 400) {
    throw new LabError(`The callback responded with status ${landing.firstStatus}.`);
  }
  const shown = await aboutField("check", () => browser.open(check));
  const problem = signedOutReason(check, shown);
  if (problem === undefined) return { browser, labBrowser };
  const advice = check === start
    ? " If that URL always begins a login, name a check URL that needs one."
    : "";
  throw new LabError(`After the callback, ${problem}${advice}`, { field: "check" });
}

/** Checks that the check URL notices someone who is not signed in; otherwise, it proves nothing. */
export async function checkSignedOut(
  { start, check = start }: DrillApplication,
  { openBrowser }: LoginBrowsers,
): Promise<void> {
  const field = check === start ? "start" : "check";
  const page = await aboutField(field, () => openBrowser().open(check));
  if (signedOutReason(check, page) !== undefined) return;
  const place = withoutQuery(check);
  if (check !== start) {
    throw new LabError(
      `${place} opens without a login, so it cannot show whether someone is signed in. ` +
        "The check URL must lead to the lab, or respond with an error.",
      { field },
    );
  }
  const { labUrl } = await openStart(openBrowser(), start);
  throw new LabError(
    labUrl === undefined
      ? `${place} opens without a login, so it does not begin one. Name a start URL that does, ` +
        "such as /login, and a check URL that only someone who is signed in can open."
      : `${place} shows the same page to everyone, with a button to sign in. Name a ` +
        "check URL that only someone who is signed in can open.",
    { field: "check" },
  );
}

/** Returns why a page shows that its user is signed out, or undefined. */
export function signedOutReason(
  check: string,
  { labUrl, status }: ApplicationPage,
): string | undefined {
  if (labUrl !== undefined) return `${withoutQuery(check)} still leads to the lab.`;
  return status >= 400 ? `${withoutQuery(check)} responds with status ${status}.` : undefined;
}

async function beginLogin(browser: ApplicationBrowser, start: string): Promise<string> {
  const { labUrl, url, status } = await openStart(browser, start);
  if (labUrl !== undefined) return labUrl;
  throw new LabError(
    `${withoutQuery(url)} does not lead to the lab: it responds with status ${status}.`,
  );
}

/** Opens the start URL, with the URL of the lab to which the page or one of its buttons leads. */
async function openStart(browser: ApplicationBrowser, start: string): Promise<ApplicationPage> {
  const page = await browser.open(start);
  return { ...page, labUrl: page.labUrl ?? await pressButtons(browser, page) };
}

/** Sends the forms of a page that need no input until one leads to the lab. */
async function pressButtons(
  browser: ApplicationBrowser,
  { url, html, status }: ApplicationPage,
): Promise<string | undefined> {
  if (status >= 400) return undefined;
  for (const { action, fields } of formsWithoutInput(html, url).slice(0, maxForms)) {
    const { labUrl } = await browser.send(action, fields);
    if (labUrl !== undefined) return labUrl;
  }
  return undefined;
}
