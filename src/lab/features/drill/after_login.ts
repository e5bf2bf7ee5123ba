import { LabError } from "../../util/lab_error.ts";
import type { ApplicationPage } from "./application_browser.ts";
import {
  type DrillApplication,
  type SignedInBrowser,
  signedOutReason,
} from "./application_login.ts";
import { withoutQuery } from "./drill_access.ts";
import type { AfterLogin, DrillVariant } from "./variants/drill_variant.ts";

/** The statuses of a page that wants another method. */
const otherMethodStatuses = [404, 405];

/**
 * Does what follows a login under a variant; without one, all that can follow. Resolves if each
 * step succeeds.
 */
export async function continueAfterLogin(
  application: DrillApplication,
  signedIn: SignedInBrowser,
  variant: DrillVariant | undefined,
): Promise<void> {
  const { refresh, logout } = application;
  const follows = (step: AfterLogin) => variant === undefined || variant.after === step;
  if (refresh !== undefined && follows("refresh")) await refreshTokens(refresh, signedIn);
  if (logout !== undefined && follows("logout")) await signOut(application, logout, signedIn);
}

async function refreshTokens(refresh: string, { browser }: SignedInBrowser): Promise<void> {
  const problem = signedOutReason(refresh, await browser.open(refresh));
  if (problem !== undefined) throw new LabError(`After the login, ${problem}`);
}

async function signOut(
  { start, check = start }: DrillApplication,
  logout: string,
  signedIn: SignedInBrowser,
): Promise<void> {
  const { labUrl, status } = await openLogout(logout, signedIn);
  if (status >= 400) throw pageError(logout, status);
  const next = labUrl === undefined ? undefined : await signedIn.labBrowser.signOut(labUrl);
  if (next !== undefined) {
    const page = await signedIn.browser.open(next);
    if (page.status >= 400) throw pageError(next, page.status);
  }
  if (signedOutReason(check, await signedIn.browser.open(check)) !== undefined) return;
  throw new LabError(`After the sign-out, ${withoutQuery(check)} still opens.`);
}

/** A sign-out may need a POST, because it changes something. */
async function openLogout(logout: string, { browser }: SignedInBrowser): Promise<ApplicationPage> {
  const page = await browser.open(logout);
  return otherMethodStatuses.includes(page.status) ? await browser.send(logout, []) : page;
}

function pageError(url: string, status: number): LabError {
  return new LabError(`At the sign-out, ${withoutQuery(url)} responds with status ${status}.`);
}
