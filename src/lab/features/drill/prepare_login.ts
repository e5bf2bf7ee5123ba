import type { UserConfig } from "../../../server/config/user_config.ts";
import { readSpan } from "../../util/clock.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";
import { aboutField, checkIsUrl, drillAccess, ignoreProblem } from "../verdicts/drill_access.ts";
import { createResponseTimes } from "../verdicts/response_times.ts";
import { type ApplicationTarget, createApplicationBrowser } from "./application_browser.ts";
import {
  type CheckedApplication,
  checkSignedIn,
  checkUrlOf,
  type DrillApplication,
  openCheck,
  type SignedInBrowser,
  signIn,
} from "./application_login.ts";
import type { DrillBrowser } from "./drill_browser.ts";
import { findCheck, findStart } from "./find_check.ts";
import { findData } from "./find_data.ts";
import { findButtonFor, findLogout, findRefresh } from "./find_urls.ts";
import { type DrillSteps, type FoundStep, refreshInTurn, signOut } from "./login_steps.ts";
import { type PageWatch, watchPages } from "./page_watch.ts";
import { createUserMaker, type DrilledLab, type MakeUser, withUser } from "./watch_lab.ts";

/** So many users a drill makes at most. */
const usualUsers = 6;

/**
 * Takes some steps of a login; without any, signs in once, and does all that may follow a login. A
 * user may take them whom the lab knows for this login alone.
 */
export type DrilledLogin = (steps?: DrillSteps, user?: UserConfig) => Promise<unknown>;

/** An application that the lab visits, and that can be drilled. */
export interface PreparedApplication {
  login: DrilledLogin;
  openBrowser(): DrillBrowser;
  /** Makes a user whom the application cannot have seen. A drill makes few of them. */
  makeUser: MakeUser;
  /** Whether someone who is not signed in is shown what only users should see. */
  isOpen(): Promise<boolean>;
  /** What its responses gave away so far. */
  pages: PageWatch;
  /** Returns its URLs, with the check URL once a login has shown which one it is. */
  application(): CheckedApplication;
}

/** Returns the login of an application, after it has been checked that it can be drilled. */
export async function prepareLogin(
  lab: DrilledLab,
  given: DrillApplication,
  { origins, steps, open = (target) => createApplicationBrowser(target) }: {
    origins: readonly string[];
    steps: readonly FoundStep[];
    /** Opens a browser that nobody has used. */
    open?: ((target: ApplicationTarget) => DrillBrowser) | undefined;
  },
): Promise<PreparedApplication> {
  const pages = watchPages(lab, drillAccess(lab.context, origins));
  const times = createResponseTimes(given.patience);
  const openBrowser = () =>
    open({
      fetch: lab.context.settings.fetch,
      openLab: lab.browser,
      now: Date.now,
      onResponse: pages.see,
      onFailure: pages.fail,
      times,
      // Visits only applications on this machine, or of a configured origin.
      ...drillAccess(lab.context, origins),
    });
  let application: CheckedApplication = checkApplication(lab, given);
  const makeUser = createUserMaker(lab.context, application.users ?? usualUsers);
  application = { ...application, start: await findStart(application, openBrowser(), lab) };
  // It may lead to other servers as well.
  await openBrowser().open(new URL("/", given.start).href).catch(ignoreProblem);

  async function login(steps?: DrillSteps, user?: UserConfig): Promise<void> {
    times.begin();
    if (steps && user) {
      const own = { ...application, user: user.name, password: undefined };
      return await withUser(lab, user, () => take(steps, own));
    }
    if (steps) return await take(steps, application);
    const signedIn = await signIn(application, openBrowser());
    application = { ...application, ...await findCheck(application, signedIn, openBrowser) };
    await checkSignedIn(application, signedIn.browser);
    const page = await signedIn.browser.copy().open(checkUrlOf(application));
    const data = await findData(application, signedIn, page);
    application = { ...application, lacksScripts: page.lacksScripts, data };
    await tryAllAfterLogin(signedIn);
  }

  /** Takes steps in browsers that only they need. */
  async function take(steps: DrillSteps, own: CheckedApplication): Promise<void> {
    const opened: DrillBrowser[] = [];
    const openOwn = () => {
      const browser = openBrowser();
      opened.push(browser);
      return browser;
    };
    try {
      await steps.take(own, openOwn);
    } finally {
      await Promise.all(opened.map((each) => each.close()));
    }
  }

  /** Finds what follows a login, and does it: the drill shows what fails then. */
  async function tryAllAfterLogin(signedIn: SignedInBrowser): Promise<void> {
    const { browser } = signedIn;
    if (steps.includes("refresh")) {
      const find = application.refresh === undefined
        ? findRefresh(lab, application, signedIn)
        : findButtonFor(application, browser, "refresh");
      application = { ...application, ...await find };
    }
    const { refresh } = application;
    if (refresh !== undefined) {
      const step = () => refreshInTurn(application, refresh, browser);
      application = { ...application, secondRefresh: await aboutField("refresh", step) };
    }
    if (!steps.includes("logout")) return;
    // What failed may have ended the session.
    const current = application.secondRefresh === undefined
      ? signedIn
      : await signIn(application, openBrowser());
    if (application.logout === undefined) {
      application = { ...application, ...await findLogout(application, current) };
      return;
    }
    const button = await findButtonFor(application, current.browser, "logout");
    application = { ...application, ...button };
    application = {
      ...application,
      signOut: await problemOf(signOut(application, current.browser)),
    };
  }

  const isOpen = async () => await openCheck(application, openBrowser()) === undefined;
  return { openBrowser, makeUser, login, isOpen, pages, application: () => application };
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

function checkApplication(lab: DrilledLab, application: DrillApplication): DrillApplication {
  const { start, check, refresh, logout, user, password, ...rest } = application;
  const { severalIssuers, keyWait, users, patience, ...others } = rest;
  const options = { severalIssuers, keyWait, users, patience };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const members = Object.keys({ start, check, refresh, logout, user, password, ...options });
    throw unknownMember(unknown, members);
  }
  if (keyWait !== undefined) readSpan(keyWait);
  for (const [name, value] of Object.entries({ start, check, refresh, logout })) {
    if (name !== "start" && value === undefined) continue;
    checkIsUrl(value, name, "application");
  }
  const anyone = lab.handsFreeState.user === null ? lab.users.list()[0]?.name : undefined;
  return { start, check, refresh, logout, user: user ?? anyone, password, ...options };
}

/** Without an error, a drill would try all variants, and not those of `only`. */
function unknownMember(name: string, members: readonly string[]): LabError {
  if (name !== "only") return unknownName("member of an application to drill", name, members);
  return new LabError(`'only' is the second argument: lab.drill(application, [...]).`);
}
