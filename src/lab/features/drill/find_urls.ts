import { type Exchange, jsonOf } from "../../recording/exchange.ts";
import { ignoreProblem } from "../verdicts/drill_access.ts";
import { type CheckedApplication, openCheck, type SignedInBrowser } from "./application_login.ts";
import type { DrillBrowser } from "./drill_browser.ts";
import { type FoundStep, openStep, signOut } from "./login_steps.ts";
import { refreshWords, says, signOutWords } from "./page_controls.ts";

type FoundUrls = Pick<CheckedApplication, FoundStep | "buttons">;

/** The paths that applications have, if no page leads to one. */
const usualPaths: Readonly<Record<FoundStep, readonly string[]>> = {
  refresh: ["/refresh", "/auth/refresh", "/token/refresh", "/refresh-token", "/api/refresh"],
  logout: ["/logout", "/auth/logout", "/signout", "/sign-out", "/auth/signout", "/oauth2/sign_out"],
};

const words: Readonly<Record<FoundStep, RegExp>> = { refresh: refreshWords, logout: signOutWords };

/** Finds what refreshes tokens: the lab sees whether a link or a button does. */
export async function findRefresh(
  lab: { exchanges(): readonly Exchange[] },
  application: CheckedApplication,
  { browser }: SignedInBrowser,
): Promise<FoundUrls> {
  const hasToken = lab.exchanges().some(({ response }) =>
    response && jsonOf(response)?.refresh_token !== undefined
  );
  if (!hasToken) return {};
  for (const found of await candidates(application, browser, "refresh")) {
    const lastId = lab.exchanges().at(-1)?.id ?? 0;
    await openStep({ ...application, ...found }, "refresh", browser).catch(ignoreProblem);
    const isRefreshed = lab.exchanges().some(({ id, request }) =>
      id > lastId && request.form.get("grant_type") === "refresh_token"
    );
    if (isRefreshed) return found;
  }
  return {};
}

/**
 * Finds what signs the user out: afterwards, the check URL shows it. If nothing does, it is the button
 * that a page shows for it, which ends no session.
 */
export async function findLogout(
  application: CheckedApplication,
  signedIn: SignedInBrowser,
): Promise<FoundUrls> {
  let idle: FoundUrls = {};
  for (const found of await candidates(application, signedIn.browser, "logout")) {
    const { logout = "", buttons } = found;
    const works = await signOut({ ...application, ...found }, signedIn.browser)
      .then(() => true, ignoreProblem);
    if (await openCheck(application, signedIn.browser) !== undefined) return found;
    if (works && buttons?.logout !== undefined && signOutWords.test(logout)) idle = found;
  }
  return idle;
}

/** Finds the page with the button that leads to a URL, which may want more than a GET. */
export async function findButtonFor(
  application: CheckedApplication,
  browser: DrillBrowser,
  step: FoundStep,
): Promise<FoundUrls> {
  const path = new URL(application[step] ?? application.start).pathname;
  const all = await controlsIn(application, browser);
  const button = all.find(({ method, url }) => method === "POST" && new URL(url).pathname === path);
  return button ? { buttons: { ...application.buttons, [step]: button.from } } : {};
}

/** Returns the URLs that may be of a step: those of links and buttons, and then usual ones. */
async function candidates(
  application: CheckedApplication,
  browser: DrillBrowser,
  step: FoundStep,
): Promise<FoundUrls[]> {
  const shown = (await controlsIn(application, browser)).filter((each) => says(words[step], each));
  const found = shown.map(({ method, url, from }): FoundUrls => ({
    [step]: url,
    buttons: { ...application.buttons, ...method === "POST" && { [step]: from } },
  }));
  const login = new URL(application.start);
  const sibling = login.pathname.replace(/log-?in|sign-?in/i, step === "logout" ? "logout" : step);
  const usual = [...login.pathname === sibling ? [] : [sibling], ...usualPaths[step]];
  return [...found, ...usual.map((path): FoundUrls => ({ [step]: new URL(path, login).href }))];
}

/** Returns the links and buttons of the pages of someone who is signed in. */
async function controlsIn(
  { start, check = start }: CheckedApplication,
  browser: DrillBrowser,
) {
  const pages = [];
  for (const url of new Set([check, new URL("/", start).href])) {
    pages.push(await browser.open(url));
  }
  return pages.flatMap((page) =>
    page.controls().map((control) => ({ ...control, from: page.url }))
  );
}
