import type { HeadlessBrowser } from "../../browser/headless_browser.ts";
import type { UserActions } from "../../browser/user_actions.ts";
import { formsWithoutInput, linksIn } from "../../util/html_forms.ts";
import { LabError } from "../../util/lab_error.ts";
import type { ApplicationBrowser, ApplicationPage } from "./application_browser.ts";
import { aboutField, withoutQuery } from "./drill_access.ts";
import { type PageMarks, showsSignedIn } from "./page_marks.ts";

/** More buttons or links than a page of sign-in methods has. */
const maxWays = 5;

/** What a link says that leads to a sign-in: other links may change something, such as a cart. */
const signInWords =
  /\b(?:log|sign)[ _-]?(?:in|on)\b|\b(?:o?auth2?|oidc|sso|authorize|continue with)\b/i;

/** An application to drill. */
export interface DrillApplication extends Pick<UserActions, "user" | "password"> {
  /**
   * A URL from which a login begins: it leads to the lab, directly or through a button or a link.
   * Best is a page that needs a login.
   */
  start: string;
  /**
   * A URL that only someone who is signed in can open; for anyone else, it leads to the lab, responds
   * with an error, or shows another page.
   *
   * @default found: where a login ends, the home page, the start URL, or a page to which a link leads
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

/** An application, with how to tell whether someone is signed in. */
export interface CheckedApplication extends DrillApplication {
  /** What the check URL shows, if everyone can open it. */
  marks?: PageMarks | undefined;
  /** Why a second refresh fails, though the first one worked. */
  secondRefresh?: string | undefined;
  /** Why the sign-out fails even without a fault. */
  signOut?: string | undefined;
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
  /** The browser of the application as it was before the callback. */
  before: ApplicationBrowser;
  /** The page that the callback ended at. */
  landing: ApplicationPage;
}

/** Signs in to an application as a browser does. Resolves if the callback responds without an error. */
export async function signIn(
  application: DrillApplication,
  { openBrowser, openLabBrowser }: LoginBrowsers,
): Promise<SignedInBrowser> {
  const browser = openBrowser();
  const labBrowser = openLabBrowser();
  const callback = await beginLogin(application, { browser, labBrowser });
  const before = browser.copy();
  const landing = await callback();
  if (landing.firstStatus >= 400) {
    throw new LabError(`The callback responded with status ${landing.firstStatus}.`);
  }
  return { browser, labBrowser, before, landing };
}

/** Goes to the lab, and signs in there. Returns what opens the callback. */
export async function beginLogin(
  { start, user, password }: DrillApplication,
  { browser, labBrowser }: Pick<SignedInBrowser, "browser" | "labBrowser">,
): Promise<() => Promise<ApplicationPage>> {
  const url = await aboutField("start", () => leadToLab(browser, start));
  const { callback, parameters, page } = await labBrowser.authorize(url, { user, password });
  return () =>
    page === undefined
      ? browser.open(callback)
      : browser.send(callback, Object.entries(parameters));
}

/** Checks that the check URL knows the user. */
export async function checkSignedIn(
  application: CheckedApplication,
  browser: ApplicationBrowser,
): Promise<void> {
  const problem = await openCheck(application, browser);
  if (problem === undefined) return;
  throw new LabError(`After the callback, ${problem}`, { field: "check" });
}

/** Opens the check URL. Returns why it shows that its user is signed out, or undefined. */
export async function openCheck(
  { start, check = start, marks }: CheckedApplication,
  browser: ApplicationBrowser,
): Promise<string | undefined> {
  const shown = await aboutField("check", () => browser.open(check));
  const reason = signedOutReason(check, shown);
  if (reason !== undefined || marks === undefined || showsSignedIn(marks, shown)) return reason;
  return `${withoutQuery(check)} shows what it shows to those who are not signed in.`;
}

/** Returns why a page shows that its user is signed out, or undefined. */
export function signedOutReason(
  check: string,
  { labUrl, status }: ApplicationPage,
): string | undefined {
  if (labUrl !== undefined) return `${withoutQuery(check)} still leads to the lab.`;
  return status >= 400 ? `${withoutQuery(check)} responds with status ${status}.` : undefined;
}

async function leadToLab(browser: ApplicationBrowser, start: string): Promise<string> {
  const { labUrl, url, status } = await openStart(browser, start);
  if (labUrl !== undefined) return labUrl;
  throw new LabError(
    `${withoutQuery(url)} does not lead to the lab: it responds with status ${status}.`,
  );
}

/** A page that may begin a login. */
interface StartPage extends ApplicationPage {
  /** The links that look as if they began one, and do not. */
  tried: readonly string[];
}

/** Opens the start URL, with the URL of the lab to which the page, a button or a link leads. */
export async function openStart(browser: ApplicationBrowser, start: string): Promise<StartPage> {
  const page = await browser.open(start);
  if (page.labUrl !== undefined || page.status >= 400) return { ...page, tried: [] };
  const labUrl = await pressButtons(browser, page);
  return labUrl === undefined ? await followLinks(browser, page) : { ...page, labUrl, tried: [] };
}

/** Sends the forms of a page that need no input until one leads to the lab. */
async function pressButtons(
  browser: ApplicationBrowser,
  { url, html }: ApplicationPage,
): Promise<string | undefined> {
  for (const { action, fields } of formsWithoutInput(html, url).slice(0, maxWays)) {
    const { labUrl } = await browser.send(action, fields);
    if (labUrl !== undefined) return labUrl;
  }
  return undefined;
}

/** Follows the links of a page that look like a sign-in until one leads to the lab. */
async function followLinks(browser: ApplicationBrowser, page: ApplicationPage): Promise<StartPage> {
  const links = linksIn(page.html, page.url);
  const direct = links.find(({ href }) => browser.isLab(href));
  if (direct) return { ...page, labUrl: direct.href, tried: [] };
  const { origin } = new URL(page.url);
  const likely = links.filter(({ href, text }) =>
    new URL(href).origin === origin && signInWords.test(`${text} ${new URL(href).pathname}`)
  ).map(({ href }) => href);
  const tried = [...new Set(likely)].slice(0, maxWays);
  for (const href of tried) {
    const { labUrl } = await browser.open(href);
    if (labUrl !== undefined) return { ...page, labUrl, tried };
  }
  return { ...page, tried };
}
