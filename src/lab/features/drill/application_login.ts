import type { Duration } from "../../../server/util/time/duration.ts";
import type { UserActions } from "../../browser/user_actions.ts";
import { LabError } from "../../util/lab_error.ts";
import { aboutField, externalUrlError, withoutQuery } from "../verdicts/drill_access.ts";
import type { DrillBrowser, DrillPage } from "./drill_browser.ts";
import { isHarmless, says, signInWords } from "./page_controls.ts";
import { type PageMarks, showsSignedIn } from "./page_marks.ts";

/** More buttons or links than a page of sign-in methods has. */
const maxWays = 5;

/** More folders than redirect URIs have in which a login begins. */
const maxFolders = 10;

/** Where logins begin, if no page leads to one. */
const usualLogins = ["/login", "/auth/login", "/signin", "/sign-in", "/auth/signin", "/auth"];

/** An application to drill. */
export interface DrillApplication extends Pick<UserActions, "user" | "password"> {
  /**
   * A URL from which a login begins, directly or through a button or a link. Best is one that
   * needs it.
   */
  start: string;
  /**
   * A URL that shows who is signed in, best one that others cannot open.
   *
   * @default found: where a login ends, or a page to which it links
   */
  check?: string | undefined;
  /**
   * A URL that makes it refresh its tokens.
   *
   * @default found: what a link or button leads to
   */
  refresh?: string | undefined;
  /**
   * A URL that signs the user out.
   *
   * @default found: what a link or button leads to
   */
  logout?: string | undefined;
  /**
   * Whether it signs users in at several servers with one redirect URI, where responses can be mixed up.
   *
   * @default found: whether a page leads to another server with the redirect URI of the login
   */
  severalIssuers?: boolean | undefined;
  /**
   * How long it may refuse an ID token of a new key: many rarely fetch keys.
   *
   * @default a refusal shows nothing
   */
  keyWait?: Duration | undefined;
  /**
   * How many users it may make: `hallpass-…`.
   *
   * @default 6
   */
  users?: number | undefined;
  /**
   * How often as long as the slowest of three logins a response may take.
   *
   * @default 10
   */
  patience?: number | undefined;
}

/** An application, with how to tell whether someone is signed in. */
export interface CheckedApplication extends DrillApplication {
  /** What the check URL shows, if everyone can open it. */
  marks?: PageMarks | undefined;
  /** Whether scripts fill the page that a login opens, and the drill runs none. */
  lacksScripts?: boolean;
  /** The URLs of scripts, and of data for them, that respond to its user. */
  data?: readonly string[];
  /** Why a second refresh fails, though the first one worked. */
  secondRefresh?: string | undefined;
  /** The pages with the buttons for a URL, which may want more than a GET. */
  buttons?: { refresh?: string; logout?: string } | undefined;
  /** Why the sign-out fails even without a fault. */
  signOut?: string | undefined;
}

/** A browser after a login. */
export interface SignedInBrowser {
  browser: DrillBrowser;
  /** The browser of the application as it was before the callback. */
  before: DrillBrowser;
  /** The page that the callback ended at. */
  landing: DrillPage;
  isPosted: boolean;
}

/** Signs in to an application as a browser does. Resolves if the callback responds without an error. */
export async function signIn(
  application: DrillApplication,
  browser: DrillBrowser,
): Promise<SignedInBrowser> {
  const { isPosted, open } = await startLogin(application, browser);
  const before = browser.copy();
  const landing = await open();
  if (landing.firstStatus >= 400) {
    throw new LabError(`The callback responded with status ${landing.firstStatus}.`);
  }
  return { browser, before, landing, isPosted };
}

/** Goes to the lab, by the request of the application or a changed one, and signs in there. */
export async function startLogin(
  { start, user, password }: DrillApplication,
  browser: DrillBrowser,
  actions: Pick<UserActions, "decision" | "authTime"> = {},
  changeRequest = (url: string) => url,
) {
  const from = changeRequest(await aboutField("start", () => leadToLab(browser, start)));
  const all = { user, password, ...actions };
  const { callback: url, parameters, page } = await browser.authorize(from, all);
  const isPosted = page !== undefined;
  const open = () =>
    isPosted ? browser.send(url, Object.entries(parameters), from) : browser.open(url, from);
  return { url, parameters, isPosted, open };
}

/** Returns a URL that begins a login, also for someone who is signed in: the last one before the lab. */
export async function findLoginUrl(
  { start }: DrillApplication,
  browser: DrillBrowser,
): Promise<string> {
  const { way } = await browser.open(start);
  return way.at(-1) ?? start;
}

export function checkUrlOf({ start, check = start }: DrillApplication): string {
  return check;
}

/** Checks that the check URL knows the user. */
export async function checkSignedIn(
  application: CheckedApplication,
  browser: DrillBrowser,
): Promise<void> {
  const problem = await openCheck(application, browser);
  if (problem === undefined) return;
  throw new LabError(`After the callback, ${problem}`, { field: "check" });
}

/** Opens the check URL. Returns why it shows that its user is signed out, or undefined. */
export async function openCheck(
  { start, check = start, marks }: CheckedApplication,
  browser: DrillBrowser,
): Promise<string | undefined> {
  const shown = await aboutField("check", () => browser.open(check));
  // A status decides only where the page shows nobody.
  if (marks !== undefined && showsSignedIn(marks, shown)) return undefined;
  const reason = signedOutReason(check, shown);
  if (reason !== undefined || marks === undefined) return reason;
  return `${withoutQuery(check)} shows what it shows to those who are not signed in.`;
}

/** Whether the check URL shows that its user is signed in. */
export async function opens(
  application: CheckedApplication,
  browser: DrillBrowser,
): Promise<boolean> {
  return await openCheck(application, browser) === undefined;
}

/** Returns why a page shows that its user is signed out, or undefined. */
export function signedOutReason(
  check: string,
  { labUrl, outsideUrl, status }: DrillPage,
): string | undefined {
  if (labUrl !== undefined) return `${withoutQuery(check)} still leads to the lab.`;
  if (outsideUrl !== undefined) throw externalUrlError(outsideUrl, "application");
  return status >= 400 ? `${withoutQuery(check)} responds with status ${status}.` : undefined;
}

async function leadToLab(browser: DrillBrowser, start: string): Promise<string> {
  const { page: { url, status, outsideUrl }, labUrl } = await findLogin(browser, start, []);
  if (labUrl !== undefined) return labUrl;
  if (outsideUrl !== undefined) throw externalUrlError(outsideUrl, "application");
  throw new LabError(
    `${withoutQuery(url)} does not lead to the lab: it responds with status ${status}.`,
  );
}

/** A login, as far as the pages of an application lead to one. */
interface FoundLogin {
  page: DrillPage;
  /** The URL from which the login begins, at most by a button of its page. */
  start: string;
  labUrl?: string | undefined;
  /** The links that look as if they began one, and do not. */
  tried: readonly string[];
}

/**
 * Opens the start URL, and finds what leads to the lab: itself, a button, a link, a usual path, or
 * one that a redirect URI begins with.
 */
export async function findLogin(
  browser: DrillBrowser,
  start: string,
  redirectUris: readonly string[],
): Promise<FoundLogin> {
  const page = await browser.open(start);
  const labUrl = page.labUrl ?? await leadByButton(browser, page);
  if (labUrl !== undefined) return { page, start, labUrl, tried: [] };
  const { origin, pathname } = new URL(start);
  const folders = redirectUris.flatMap(foldersOf).map((path) => new URL(path, start))
    .filter((url) => url.origin === origin && isHarmless({ text: "", url: url.href }));
  const usual = pathname !== "/" ? [] : [
    ...usualLogins.map((path) => new URL(path, start).href),
    ...folders.map(({ href }) => href).slice(0, maxFolders),
  ];
  const tried: string[] = [];
  for (const href of new Set([...signInLinks(page), ...usual])) {
    const shown = await browser.open(href, page.url);
    const found = shown.labUrl ?? await leadByButton(browser, shown);
    if (found !== undefined) return { page, start: href, labUrl: found, tried };
    if (!usual.includes(href)) tried.push(href);
  }
  return { page, start, tried };
}

/** Returns "/app/login" and "/app", each with the login below it, for "/app/login/callback". */
function foldersOf(uri: string): string[] {
  const names = new URL(uri).pathname.split("/").slice(1, -1);
  const folders = names.map((_, at) => `/${names.slice(0, at + 1).join("/")}`);
  return folders.reverse().flatMap((folder) => [folder, `${folder}/login`]);
}

/** Presses the buttons of a page until one leads to the lab, what looks like a sign-in first. */
async function leadByButton(
  browser: DrillBrowser,
  page: DrillPage,
): Promise<string | undefined> {
  const controls = page.controls();
  const direct = controls.find(({ url, method }) => method === "GET" && browser.isLab(url));
  if (direct) return direct.url;
  // A link is followed only if it looks like a sign-in, a form of GET as well.
  const buttons = controls.filter(({ method }) => method === "POST").filter(isHarmless);
  const likely = buttons.filter((each) => says(signInWords, each));
  for (const button of [...new Set([...likely, ...buttons])].slice(0, maxWays)) {
    const { labUrl } = await button.press();
    if (labUrl !== undefined) return labUrl;
  }
  return undefined;
}

function signInLinks(page: DrillPage): string[] {
  return page.controls()
    .filter((each) => each.method === "GET" && says(signInWords, each) && isHarmless(each))
    .map(({ url }) => url).slice(0, maxWays);
}
