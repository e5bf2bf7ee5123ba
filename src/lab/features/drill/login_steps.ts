import { LabError } from "../../util/lab_error.ts";
import { aboutField, ignoreProblem, withoutQuery } from "../verdicts/drill_access.ts";
import {
  type CheckedApplication,
  checkSignedIn,
  openCheck,
  type SignedInBrowser,
  signedOutReason,
  signIn,
  startLogin,
} from "./application_login.ts";
import type { DrillBrowser, DrillControl, DrillPage } from "./drill_browser.ts";
import { says, signOutWords } from "./page_controls.ts";

/** What follows a login, for the faults that need it. */
export type AfterLogin = "refresh" | "logout" | "backchannel_logout";

/** What an application is made to do under a variant. */
export interface DrillSteps {
  /** What follows the login. */
  after?: AfterLogin;
  /** How often the function of a test takes them. */
  times?: number;
  /**
   * What must succeed without a fault, so that a failure under it shows something.
   *
   * @default the same steps
   */
  control?: DrillSteps;
  /** Whether a failure counts without the fault: it is the steps that an application fails at. */
  failUnchanged?: boolean;
  /** Takes them in new browsers. Resolves if they succeed. */
  take(application: CheckedApplication, openBrowser: () => DrillBrowser): Promise<void>;
}

/** A user signs in, and opens the check page. */
export const signInOnce: DrillSteps = {
  take: async (application, openBrowser) => void await signInFully(application, openBrowser()),
};

/** The attacker's own login, which the attacker does not complete, and then that of the victim. */
export const signInTwice: DrillSteps = {
  control: signInOnce,
  times: 2,
  async take(application, openBrowser) {
    await signInFully(application, openBrowser()).catch(ignoreProblem);
    await signInFully(application, openBrowser());
  },
};

/** Two tabs of one browser are both at the lab before either one returns. */
export const inTwoTabs: DrillSteps = {
  control: signInOnce,
  // Where each tab ends the login of the other, neither redeems a code.
  failUnchanged: true,
  async take(application, openBrowser) {
    const browser = openBrowser();
    const first = await startLogin(application, browser);
    const second = await startLogin(application, browser);
    await Promise.all([first.open(), second.open()]);
    await checkSignedIn(application, browser);
  },
};

/** A login may fail: then, a user tries again in the same browser. */
export const signInAgain: DrillSteps = {
  control: signInOnce,
  times: 2,
  async take(application, openBrowser) {
    const browser = openBrowser();
    await logIn(application, browser).catch(ignoreProblem);
    await tryAgain(application, browser);
  },
};

/** A session ends at the lab, which sends a logout token. */
export const endAtLab: DrillSteps = { ...signInOnce, after: "backchannel_logout" };

/** Signs out after the login, if the drill knows how. */
export const thenSignOut: DrillSteps = {
  after: "logout",
  async take(application, openBrowser) {
    const { browser } = await signInFully(application, openBrowser());
    if (application.logout === undefined || application.signOut !== undefined) return;
    await aboutField("logout", () => signOut(application, browser));
  },
};

/** Makes steps of a login and what may follow it, if the drill knows how to refresh. */
function thenRefresh(refresh: RefreshStep, control?: DrillSteps): DrillSteps {
  return {
    after: "refresh",
    ...control && { control },
    async take(application, openBrowser) {
      const { browser } = await signInFully(application, openBrowser());
      const { refresh: url } = application;
      if (url !== undefined) await aboutField("refresh", () => refresh(application, url, browser));
    },
  };
}

async function signInFully(
  application: CheckedApplication,
  browser: DrillBrowser,
): Promise<SignedInBrowser> {
  const signedIn = await signIn(application, browser);
  await checkSignedIn(application, signedIn.browser);
  return signedIn;
}

type RefreshStep = (
  application: CheckedApplication,
  refresh: string,
  browser: DrillBrowser,
) => Promise<void>;

const refreshOnce: RefreshStep = async (application, refresh, browser) => {
  const problem = signedOutReason(refresh, await openStep(application, "refresh", browser));
  if (problem !== undefined) throw new LabError(`After the login, ${problem}`);
};

/** Returns why a second refresh fails, as in an application that has kept the first refresh token. */
export async function refreshInTurn(
  application: CheckedApplication,
  refresh: string,
  browser: DrillBrowser,
): Promise<string | undefined> {
  await refreshOnce(application, refresh, browser);
  return signedOutReason(refresh, await openStep(application, "refresh", browser));
}

export const thenRefreshOnce = thenRefresh(refreshOnce);

const thenRefreshInTurn = thenRefresh(async (application, refresh, browser) => {
  const problem = await refreshInTurn(application, refresh, browser);
  if (problem !== undefined) throw new LabError(`A second refresh fails: ${problem}`);
});

/**
 * Looks whose page it is after a refresh. Whether it ignored a failure shows in the token that it
 * sends next.
 */
export const thenRefreshAndLook = thenRefresh(async (application, refresh, browser) => {
  await refreshOnce(application, refresh, browser);
  await openCheck(application, browser);
  await openStep(application, "refresh", browser).catch(ignoreProblem);
}, thenRefreshOnce);

/** Without new tokens, the session may end. Resolves if it goes on. */
export const thenUseSession = thenRefresh(async (application, _refresh, browser) => {
  await openStep(application, "refresh", browser);
  const problem = await openCheck(application, browser);
  if (problem !== undefined) throw new LabError(`After the refresh, ${problem}`);
}, thenRefreshOnce);

/** Refreshes in two tabs at the same moment. Afterwards, the session must go on. */
export const thenRefreshInTwoTabs = thenRefresh(async (application, refresh, browser) => {
  // Where a second refresh fails for good, one finding says so.
  if (application.secondRefresh !== undefined) return;
  const open = () => openStep(application, "refresh", browser);
  const pages = await Promise.all([open(), open()]);
  const [problem] = pages.flatMap((page) => signedOutReason(refresh, page) ?? []);
  if (problem !== undefined) throw new LabError(`Of two refreshes at once, one fails: ${problem}`);
  await checkSignedIn(application, browser);
  const later = signedOutReason(refresh, await open());
  if (later !== undefined) throw new LabError(`After two refreshes at once, ${later}`);
}, thenRefreshInTurn);

/** A refresh may fail: then, a user goes on in the same browser, and a refresh must work again. */
export const thenRefreshAgain: DrillSteps = {
  after: "refresh",
  times: 2,
  control: thenRefreshInTurn,
  async take(application, openBrowser) {
    const browser = openBrowser();
    await logIn(application, browser);
    const { refresh } = application;
    if (refresh === undefined) return;
    await openStep(application, "refresh", browser).catch(ignoreProblem);
    await tryAgain(application, browser);
    await aboutField("refresh", () => requireRefresh(application, refresh, browser));
  },
};

/** Signs out of the application, and of the lab if it leads there. Returns whether it does. */
export async function signOut(
  application: CheckedApplication,
  browser: DrillBrowser,
): Promise<boolean> {
  const { logout = application.start } = application;
  const page = await confirm(await openStep(application, "logout", browser));
  const { labUrl, status } = page;
  if (status >= 400 && !isSignInPage(page)) throw pageError(logout, status);
  // Where everyone must sign in, a sign-out of the application alone ends at the next login.
  if (labUrl === undefined || isAuthorizationRequest(labUrl)) return false;
  const next = await browser.signOut(labUrl);
  if (next !== undefined) {
    const last = await browser.open(next, labUrl);
    if (last.status >= 400 && !asksForSignIn(last.status)) throw pageError(next, last.status);
  }
  return true;
}

/** A page may ask whether its user wants to sign out. */
async function confirm(page: DrillPage): Promise<DrillPage> {
  if (page.labUrl !== undefined || page.status >= 400) return page;
  const { pathname } = new URL(page.url);
  const button = page.controls().find((control) =>
    control.method === "POST" && says(signOutWords, control) &&
    new URL(control.url).pathname === pathname
  );
  return button ? await button.press() : page;
}

export function isAuthorizationRequest(url: string): boolean {
  const { searchParams } = new URL(url);
  return ["response_type", "request", "request_uri"].some((name) => searchParams.has(name));
}

/** A sign-out that led on has worked: those who are signed out may not see the page. */
function isSignInPage({ firstStatus, status }: DrillPage): boolean {
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
  browser: DrillBrowser,
): Promise<DrillPage> {
  const { [step]: url = application.start, buttons = {} } = application;
  const from = buttons[step];
  if (from === undefined) return await openOrSend(url, browser);
  const page = await browser.open(from);
  const button = findButton(page, url);
  return button ? await button.press() : await openOrSend(url, browser);
}

/** Returns the button of a page that leads to a URL. */
export function findButton(page: DrillPage, url: string): DrillControl | undefined {
  const { pathname } = new URL(url);
  return page.controls()
    .find((each) => each.method === "POST" && new URL(each.url).pathname === pathname);
}

/** What changes something may need a POST. */
async function openOrSend(
  url: string,
  browser: DrillBrowser,
): Promise<DrillPage> {
  const page = await browser.open(url);
  return page.status === 404 || page.status === 405 ? await browser.send(url, []) : page;
}

async function logIn(application: CheckedApplication, browser: DrillBrowser): Promise<void> {
  await (await startLogin(application, browser)).open();
}

/** Does what a user does who sees an error: opens the page again, and signs in if it asks for that. */
async function tryAgain(application: CheckedApplication, browser: DrillBrowser): Promise<void> {
  if (await openCheck(application, browser) !== undefined) await logIn(application, browser);
  await checkSignedIn(application, browser);
}

/** Checks that a refresh works, if need be after one more login. */
async function requireRefresh(
  application: CheckedApplication,
  refresh: string,
  browser: DrillBrowser,
): Promise<void> {
  const { labUrl, status } = await openStep(application, "refresh", browser);
  if (labUrl === undefined && status < 400) return;
  // To ask for a login is right, even if the start URL does not begin one for this user.
  const asksForLogin = labUrl !== undefined || status === 401 || status === 403;
  const { labUrl: begins } = await browser.open(application.start);
  if (begins === undefined && asksForLogin) return;
  if (begins !== undefined) await logIn(application, browser);
  const page = await openStep(application, "refresh", browser);
  const problem = signedOutReason(refresh, page);
  if (problem !== undefined) throw new LabError(`After a response was lost, ${problem}`);
}
