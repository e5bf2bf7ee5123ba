import { LabError } from "../../util/lab_error.ts";
import {
  type CheckedApplication,
  checkSignedIn,
  type DrillTab,
  type LoginBrowsers,
  openCheck,
  signedOutReason,
  startLogin,
} from "./application_login.ts";
import { aboutField, ignoreProblem } from "./drill_access.ts";
import { openStep } from "./open_step.ts";
import type { DrillVariant } from "./variants/drill_variant.ts";

/**
 * Lets a login, or the refresh after it, fail once. A user who tries again in the same browser must
 * be signed in afterwards.
 */
export async function recoverLogin(
  application: CheckedApplication,
  { openBrowser, openLabBrowser }: LoginBrowsers,
  { after }: DrillVariant,
): Promise<void> {
  const { refresh } = application;
  const tab = { browser: openBrowser(), labBrowser: openLabBrowser() };
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
  { openBrowser, openLabBrowser }: LoginBrowsers,
): Promise<void> {
  const tab = { browser: openBrowser(), labBrowser: openLabBrowser() };
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
