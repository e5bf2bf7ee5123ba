import type { UserConfig } from "../../../server/config/user_config.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { HeadlessBrowser } from "../../browser/headless_browser.ts";
import { LabError } from "../../util/lab_error.ts";
import { type ApplicationPage, createApplicationBrowser } from "./application_browser.ts";
import {
  checkSignedOut,
  type DrillApplication,
  logIn,
  type LoginBrowsers,
  type SignedInBrowser,
  signedOutReason,
} from "./application_login.ts";
import { aboutField, checkIsUrl, drillAccess, withoutQuery } from "./drill_access.ts";
import type { AfterLogin, DrillVariant } from "./variants/drill_variant.ts";
import type { WatchedLab } from "./watch_lab.ts";

/** The statuses of a page that wants another method. */
const otherMethodStatuses = [404, 405];

/** The parts of a lab that the login of an application needs. */
export interface DrilledLab extends WatchedLab {
  readonly handsFreeUser: string | undefined;
  readonly users: { list(): readonly UserConfig[] };
  readonly clients: { list(): readonly ClientConfig[] };
  browser(): HeadlessBrowser;
}

/** Signs in to an application once; without a variant, with all that may follow a login. */
export type DrilledLogin = (variant?: DrillVariant) => Promise<unknown>;

/** Returns the login of an application, after it has been checked that it can be drilled. */
export async function prepareLogin(
  lab: DrilledLab,
  application: DrillApplication,
  origins: readonly string[],
): Promise<DrilledLogin> {
  const tools = loginBrowsers(lab, origins);
  const checked = checkApplication(lab, application);
  await checkSignedOut(checked, tools);
  return async (variant) => {
    const signedIn = await logIn(checked, tools);
    await continueAfterLogin(checked, signedIn, variant);
  };
}

function checkApplication(lab: DrilledLab, application: DrillApplication): DrillApplication {
  const { start, check, refresh, logout, user, password } = application;
  for (const [name, value] of Object.entries({ start, check, refresh, logout })) {
    if (name !== "start" && value === undefined) continue;
    checkIsUrl(value, name, "application");
  }
  const anyone = lab.handsFreeUser === undefined ? lab.users.list()[0]?.name : undefined;
  return { start, check, refresh, logout, user: user ?? anyone, password };
}

/** Allows visits only to applications on this machine, or of a configured origin. */
function loginBrowsers(lab: DrilledLab, origins: readonly string[]): LoginBrowsers {
  const { settings } = lab.context;
  return {
    openBrowser: () =>
      createApplicationBrowser({
        fetch: settings.fetch,
        now: Date.now,
        ...drillAccess(lab.context, origins),
      }),
    openLabBrowser: () => lab.browser(),
  };
}

/**
 * Does what follows a login under a variant; without one, all that can follow. Resolves if each
 * step succeeds.
 */
async function continueAfterLogin(
  application: DrillApplication,
  signedIn: SignedInBrowser,
  variant: DrillVariant | undefined,
): Promise<void> {
  const { refresh, logout } = application;
  const follows = (step: AfterLogin) => variant === undefined || variant.after === step;
  if (refresh !== undefined && follows("refresh")) {
    await aboutField("refresh", () => refreshTokens(refresh, signedIn));
  }
  if (logout !== undefined && follows("logout")) {
    await aboutField("logout", () => signOut(application, logout, signedIn));
  }
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
  throw new LabError(
    `After the sign-out, ${withoutQuery(check)} still opens: its session goes on.`,
  );
}

/** A sign-out may need a POST, because it changes something. */
async function openLogout(logout: string, { browser }: SignedInBrowser): Promise<ApplicationPage> {
  const page = await browser.open(logout);
  return otherMethodStatuses.includes(page.status) ? await browser.send(logout, []) : page;
}

function pageError(url: string, status: number): LabError {
  return new LabError(`At the sign-out, ${withoutQuery(url)} responds with status ${status}.`);
}
