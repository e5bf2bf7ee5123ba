import { LabError } from "../../util/lab_error.ts";
import type { ApplicationBrowser, ApplicationPage } from "./application_browser.ts";
import {
  type CheckedApplication,
  checkSignedIn,
  type DrillTab,
  openCheck,
  type SignedInBrowser,
  signedOutReason,
  startLogin,
} from "./application_login.ts";
import { aboutField, ignoreProblem, withoutQuery } from "./drill_access.ts";
import { controlsOf, press, says, signOutWords } from "./page_controls.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";

/** What a login is tried with; without a fault, it is the control of those that have one. */
export type LoginVariant = Partial<DrillVariant>;

/** Does what follows a login under a variant. Resolves if it succeeds. */
export async function continueAfterLogin(
  application: CheckedApplication,
  signedIn: SignedInBrowser,
  { fault, after, twice = false }: LoginVariant,
): Promise<void> {
  const { refresh, logout, signOut: problem } = application;
  if (refresh !== undefined && after === "refresh") {
    const step = twice ? refreshTwice : fault === "refresh.invalid_grant" ? goOn : refreshOnce;
    await aboutField("refresh", () => step(application, refresh, signedIn.browser));
    // Whether it took an ID token that it must not, or ignored a failure, shows in the token that it
    // sends next.
    if (fault?.startsWith("refresh.wrong_")) {
      await openStep(application, "refresh", signedIn.browser).catch(ignoreProblem);
    }
  }
  if (logout !== undefined && problem === undefined && after === "logout") {
    await aboutField("logout", () => signOut(application, signedIn));
  }
}

type RefreshStep = (
  application: CheckedApplication,
  refresh: string,
  browser: ApplicationBrowser,
) => Promise<void>;

const refreshOnce: RefreshStep = async (application, refresh, browser) => {
  const problem = signedOutReason(refresh, await openStep(application, "refresh", browser));
  if (problem !== undefined) throw new LabError(`After the login, ${problem}`);
};

/** Without new tokens, the session may end. Resolves if it goes on. */
const goOn: RefreshStep = async (application, _refresh, browser) => {
  await openStep(application, "refresh", browser);
  const problem = await openCheck(application, browser);
  if (problem !== undefined) throw new LabError(`After the refresh, ${problem}`);
};

/** Returns why a second refresh fails, as in an application that has kept the first refresh token. */
export async function refreshInTurn(
  application: CheckedApplication,
  refresh: string,
  browser: ApplicationBrowser,
): Promise<string | undefined> {
  await refreshOnce(application, refresh, browser);
  return signedOutReason(refresh, await openStep(application, "refresh", browser));
}

/** Refreshes in two tabs at the same moment. Afterwards, the session must go on. */
const refreshTwice: RefreshStep = async (application, refresh, browser) => {
  const open = () => openStep(application, "refresh", browser);
  const pages = await Promise.all([open(), open()]);
  const [problem] = pages.flatMap((page) => signedOutReason(refresh, page) ?? []);
  if (problem !== undefined) throw new LabError(`Of two refreshes at once, one fails: ${problem}`);
  await checkSignedIn(application, browser);
  const later = signedOutReason(refresh, await open());
  if (later !== undefined) throw new LabError(`After two refreshes at once, ${later}`);
};

/** Signs out of the application, and of the lab if it leads there. Returns whether it does. */
export async function signOut(
  application: CheckedApplication,
  { browser, labBrowser }: SignedInBrowser,
): Promise<boolean> {
  const { logout = application.start } = application;
  const page = await confirm(browser, await openStep(application, "logout", browser));
  const { labUrl, status } = page;
  if (status >= 400 && !isSignInPage(page)) throw pageError(logout, status);
  // Where everyone must sign in, a sign-out of the application alone ends at the next login.
  if (labUrl === undefined || isAuthorizationRequest(labUrl)) return false;
  const next = await labBrowser.signOut(labUrl);
  if (next !== undefined) {
    const last = await browser.open(next, labUrl);
    if (last.status >= 400 && !asksForSignIn(last.status)) throw pageError(next, last.status);
  }
  return true;
}

/** A page may ask whether its user wants to sign out. */
async function confirm(
  browser: ApplicationBrowser,
  page: ApplicationPage,
): Promise<ApplicationPage> {
  if (page.labUrl !== undefined || page.status >= 400) return page;
  const { pathname } = new URL(page.url);
  const button = controlsOf(browser, page).find((control) =>
    control.method === "POST" && says(signOutWords, control) &&
    new URL(control.url).pathname === pathname
  );
  return button ? await press(browser, button, page.url) : page;
}

export function isAuthorizationRequest(url: string): boolean {
  const { searchParams } = new URL(url);
  return ["response_type", "request", "request_uri"].some((name) => searchParams.has(name));
}

/** A sign-out that led on has worked: those who are signed out may not see the page. */
function isSignInPage({ firstStatus, status }: ApplicationPage): boolean {
  return firstStatus >= 300 && firstStatus < 400 && asksForSignIn(status);
}

function asksForSignIn(status: number): boolean {
  return status === 401 || status === 403;
}

function pageError(url: string, status: number): LabError {
  return new LabError(`At the sign-out, ${withoutQuery(url)} responds with status ${status}.`);
}

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

/**
 * Lets a login, or the refresh after it, fail once. A user who tries again in the same browser must
 * be signed in afterwards.
 */
export async function recoverLogin(
  application: CheckedApplication,
  tab: DrillTab,
  { after }: LoginVariant,
): Promise<void> {
  const { refresh } = application;
  if (after === undefined) {
    await logIn(application, tab).catch(ignoreProblem);
    return await tryAgain(application, tab);
  }
  await logIn(application, tab);
  if (refresh === undefined) return;
  await openStep(application, "refresh", tab.browser).catch(ignoreProblem);
  await tryAgain(application, tab);
  await aboutField("refresh", () => requireRefresh(application, refresh, tab));
}

/** Two tabs of one browser are both at the lab before either one returns. */
export async function logInTwice(
  application: CheckedApplication,
  tab: DrillTab,
): Promise<void> {
  const first = await startLogin(application, tab);
  const second = await startLogin(application, tab);
  await Promise.all([first.open(), second.open()]);
  await checkSignedIn(application, tab.browser);
}

async function logIn(application: CheckedApplication, tab: DrillTab): Promise<void> {
  await (await startLogin(application, tab)).open();
}

/** Does what a user does who sees an error: opens the page again, and signs in if it asks for that. */
async function tryAgain(application: CheckedApplication, tab: DrillTab): Promise<void> {
  if (await openCheck(application, tab.browser) !== undefined) await logIn(application, tab);
  await checkSignedIn(application, tab.browser);
}

/** Checks that a refresh works, if need be after one more login. */
async function requireRefresh(
  application: CheckedApplication,
  refresh: string,
  tab: DrillTab,
): Promise<void> {
  const { labUrl, status } = await openStep(application, "refresh", tab.browser);
  if (labUrl === undefined && status < 400) return;
  // To ask for a login is right, even if the start URL does not begin one for this user.
  const asksForLogin = labUrl !== undefined || status === 401 || status === 403;
  const { labUrl: begins } = await tab.browser.open(application.start);
  if (begins === undefined && asksForLogin) return;
  if (begins !== undefined) await logIn(application, tab);
  const page = await openStep(application, "refresh", tab.browser);
  const problem = signedOutReason(refresh, page);
  if (problem !== undefined) throw new LabError(`After a response was lost, ${problem}`);
}
