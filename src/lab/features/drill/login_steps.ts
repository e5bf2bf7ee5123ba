import { formsWithoutInput } from "../../util/html_forms.ts";
import { LabError } from "../../util/lab_error.ts";
import type { ApplicationBrowser, ApplicationPage } from "./application_browser.ts";
import {
  type CheckedApplication,
  checkSignedIn,
  type SignedInBrowser,
  signedOutReason,
} from "./application_login.ts";
import { aboutField, withoutQuery } from "./drill_access.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";

/** The statuses of a page that wants another method. */
const otherMethodStatuses = [404, 405];

/** What a login without a fault shows of what follows it. */
type AfterLoginProblems = Pick<CheckedApplication, "secondRefresh" | "signOut">;

/**
 * Does all that can follow a login. Returns why a second refresh fails, which the drill finds, and
 * why the sign-out does, which the drill then leaves out; it rejects if the first refresh fails.
 */
export async function tryAllAfterLogin(
  application: CheckedApplication,
  signedIn: SignedInBrowser,
  signInAgain: () => Promise<SignedInBrowser>,
): Promise<AfterLoginProblems> {
  const { refresh, logout } = application;
  const problem = refresh === undefined
    ? undefined
    : await aboutField("refresh", () => refreshInTurn(refresh, signedIn.browser));
  if (logout === undefined) return { secondRefresh: problem };
  // What failed may have ended the session.
  const current = problem === undefined ? signedIn : await signInAgain();
  return { secondRefresh: problem, signOut: await problemOf(signOut(application, current)) };
}

async function problemOf(step: Promise<unknown>): Promise<string | undefined> {
  try {
    await step;
    return undefined;
  } catch (cause) {
    if (cause instanceof LabError) return cause.message;
    throw cause;
  }
}

/** Does what follows a login under a variant. Resolves if it succeeds. */
export async function continueAfterLogin(
  application: CheckedApplication,
  signedIn: SignedInBrowser,
  { after, twice = false }: DrillVariant,
): Promise<void> {
  const { refresh, logout, signOut: problem } = application;
  if (refresh !== undefined && after === "refresh") {
    const step = twice ? refreshTwice : refreshOnce;
    await aboutField("refresh", () => step(application, refresh, signedIn.browser));
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

const refreshOnce: RefreshStep = async (_application, refresh, browser) => {
  const problem = signedOutReason(refresh, await browser.open(refresh));
  if (problem !== undefined) throw new LabError(`After the login, ${problem}`);
};

/** Returns why a second refresh fails, as in an application that has kept the first refresh token. */
async function refreshInTurn(
  refresh: string,
  browser: ApplicationBrowser,
): Promise<string | undefined> {
  const problem = signedOutReason(refresh, await browser.open(refresh));
  if (problem !== undefined) throw new LabError(`After the login, ${problem}`);
  return signedOutReason(refresh, await browser.open(refresh));
}

/** Refreshes in two tabs at the same moment. Afterwards, the session must go on. */
const refreshTwice: RefreshStep = async (application, refresh, browser) => {
  const pages = await Promise.all([browser.open(refresh), browser.open(refresh)]);
  const [problem] = pages.flatMap((page) => signedOutReason(refresh, page) ?? []);
  if (problem !== undefined) throw new LabError(`Of two refreshes at once, one fails: ${problem}`);
  await checkSignedIn(application, browser);
  const later = signedOutReason(refresh, await browser.open(refresh));
  if (later !== undefined) throw new LabError(`After two refreshes at once, ${later}`);
};

/** Signs out of the application, and of the lab if it leads there. Returns whether it does. */
export async function signOut(
  application: CheckedApplication,
  { browser, labBrowser }: SignedInBrowser,
): Promise<boolean> {
  const { logout = application.start } = application;
  const page = await openLogout(application, logout, browser);
  const { labUrl, status } = page;
  if (status >= 400 && !isSignInPage(page)) throw pageError(logout, status);
  // Where everyone must sign in, a sign-out of the application alone ends at the next login.
  if (labUrl === undefined || isAuthorizationRequest(labUrl)) return false;
  const next = await labBrowser.signOut(labUrl);
  if (next !== undefined) {
    const last = await browser.open(next);
    if (last.status >= 400 && !asksForSignIn(last.status)) throw pageError(next, last.status);
  }
  return true;
}

function isAuthorizationRequest(url: string): boolean {
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

/**
 * A sign-out changes something, so it may ask first, or need a POST: of the button of its own page,
 * of one elsewhere that leads to it, or without any fields.
 */
async function openLogout(
  { start, check = start }: CheckedApplication,
  logout: string,
  browser: ApplicationBrowser,
): Promise<ApplicationPage> {
  const page = await browser.open(logout);
  if (page.labUrl !== undefined) return page;
  const pressed = await pressButtonFor(logout, page, browser);
  if (pressed !== undefined || page.status < 400 || isSignInPage(page)) return pressed ?? page;
  for (const url of new Set([check, new URL("/", logout).href])) {
    const elsewhere = await pressButtonFor(logout, await browser.open(url), browser);
    if (elsewhere !== undefined) return elsewhere;
  }
  return otherMethodStatuses.includes(page.status) ? await browser.send(logout, []) : page;
}

/** Sends the form of a page that leads to the sign-out, if there is one. */
async function pressButtonFor(
  logout: string,
  { html, url }: ApplicationPage,
  browser: ApplicationBrowser,
): Promise<ApplicationPage | undefined> {
  const form = formsWithoutInput(html, url)
    .find(({ action }) => withoutQuery(action) === withoutQuery(logout));
  return form && await browser.send(form.action, form.fields);
}

function pageError(url: string, status: number): LabError {
  return new LabError(`At the sign-out, ${withoutQuery(url)} responds with status ${status}.`);
}
