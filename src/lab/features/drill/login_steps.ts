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

/**
 * Does all that can follow a login. Returns why a second refresh fails, which the drill finds; it
 * rejects if anything else fails.
 */
export async function tryAllAfterLogin(
  application: CheckedApplication,
  signedIn: SignedInBrowser,
  signInAgain: () => Promise<SignedInBrowser>,
): Promise<string | undefined> {
  const { refresh, logout } = application;
  const problem = refresh === undefined
    ? undefined
    : await aboutField("refresh", () => refreshInTurn(refresh, signedIn.browser));
  if (logout !== undefined) {
    // What failed may have ended the session.
    const current = problem === undefined ? signedIn : await signInAgain();
    await aboutField("logout", () => signOut(logout, current));
  }
  return problem;
}

/** Does what follows a login under a variant. Resolves if it succeeds. */
export async function continueAfterLogin(
  application: CheckedApplication,
  signedIn: SignedInBrowser,
  { after, twice = false }: DrillVariant,
): Promise<void> {
  const { refresh, logout } = application;
  if (refresh !== undefined && after === "refresh") {
    const step = twice ? refreshTwice : refreshOnce;
    await aboutField("refresh", () => step(application, refresh, signedIn.browser));
  }
  if (logout !== undefined && after === "logout") {
    await aboutField("logout", () => signOut(logout, signedIn));
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
  logout: string,
  { browser, labBrowser }: SignedInBrowser,
): Promise<boolean> {
  const { labUrl, status } = await openLogout(logout, browser);
  if (status >= 400) throw pageError(logout, status);
  // Where everyone must sign in, a sign-out of the application alone ends at the next login.
  if (labUrl === undefined || isAuthorizationRequest(labUrl)) return false;
  const next = await labBrowser.signOut(labUrl);
  if (next !== undefined) {
    const page = await browser.open(next);
    if (page.status >= 400) throw pageError(next, page.status);
  }
  return true;
}

function isAuthorizationRequest(url: string): boolean {
  const { searchParams } = new URL(url);
  return ["response_type", "request", "request_uri"].some((name) => searchParams.has(name));
}

/** A sign-out may need a POST, because it changes something. */
async function openLogout(logout: string, browser: ApplicationBrowser): Promise<ApplicationPage> {
  const page = await browser.open(logout);
  return otherMethodStatuses.includes(page.status) ? await browser.send(logout, []) : page;
}

function pageError(url: string, status: number): LabError {
  return new LabError(`At the sign-out, ${withoutQuery(url)} responds with status ${status}.`);
}
