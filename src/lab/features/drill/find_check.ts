import { LabError } from "../../util/lab_error.ts";
import { aboutField, withoutQuery } from "../verdicts/drill_access.ts";
import {
  type CheckedApplication,
  type DrillApplication,
  findLogin,
  type SignedInBrowser,
  signedOutReason,
  signIn,
} from "./application_login.ts";
import type { DrillBrowser, DrillPage } from "./drill_browser.ts";
import { isAuthorizationRequest } from "./login_steps.ts";
import { linksOf } from "./page_controls.ts";
import { compareVisits } from "./page_marks.ts";
import type { DrilledLab } from "./watch_lab.ts";

/** More links than a home page has for its user. */
const maxLinks = 10;

/** How to tell whether someone is signed in. */
type SignedInCheck = Pick<CheckedApplication, "check" | "marks">;

/** Returns the URL from which a login begins: the start URL must lead to the lab somehow. */
export async function findStart(
  { start, check }: DrillApplication,
  browser: DrillBrowser,
  { clients, context }: DrilledLab,
): Promise<string> {
  const { origin } = new URL(start);
  const own = clients.list().flatMap(({ redirectUris = [] }) => redirectUris)
    .filter((uri) => new URL(uri).origin === origin);
  const found = await aboutField("start", () => findLogin(browser, start, own));
  const end = new URL(found.page.outsideUrl ?? found.page.url);
  const isElsewhere = found.labUrl === undefined && end.origin !== origin;
  if (isElsewhere && isAuthorizationRequest(end.href)) {
    throw new LabError(
      `${withoutQuery(start)} leads to another issuer, at ${end.origin}. Configure ` +
        `${context.settings.issuer} as the issuer of the application.`,
      { field: "start" },
    );
  }
  if (found.labUrl === undefined && found.page.lacksScripts) {
    throw new LabError(madeByScripts(start), { field: "start" });
  }
  // The first login shows what is wrong with a start URL that responds with an error.
  const isLeftOpen = found.labUrl === undefined && check === undefined &&
    found.page.outsideUrl === undefined && found.page.status < 400;
  if (!isLeftOpen) return found.start;
  const links = found.tried.map(withoutQuery).join(", ");
  const seen = links === ""
    ? ""
    : ` Its links that look like a sign-in do not lead here: ${links}.`;
  throw new LabError(
    `${withoutQuery(start)} opens without a login, so it does not begin one.${seen} Name a start ` +
      "URL that does, such as /login, and a check URL that only someone who is signed in can open.",
    { field: "check" },
  );
}

/** Says why a drill that runs no scripts sees nothing of a page, and which one does. */
export function madeByScripts(url: string): string {
  const shown = withoutQuery(url);
  return `${shown} is made by scripts, which this drill does not run: hallpass drill app ${shown} ` +
    "--browser, or in a test lab.drill({ start, browser }) with a browser of Playwright.";
}

/**
 * Finds what tells whether someone is signed in: the check URL, if one is given; or else the page
 * that a login ended at, the home page, the start URL, or a page to which the first one links.
 */
export async function findCheck(
  application: DrillApplication,
  signedIn: SignedInBrowser,
  openBrowser: () => DrillBrowser,
): Promise<SignedInCheck> {
  const { start, check } = application;
  const { landing } = signedIn;
  const search = createSearch(application, signedIn, openBrowser);
  if (check !== undefined) {
    const found = await aboutField("check", () => search.among([check]));
    return found ?? failToFind(search.problem(), check);
  }
  const { searchParams } = new URL(landing.url);
  const isCallback = searchParams.has("code") || searchParams.has("state");
  const places = [...new Set([...isCallback ? [] : [landing.url], new URL("/", start).href])];
  // To open a URL that begins a login by itself may end the session: only if all else fails.
  const begins = await openBrowser().open(start);
  const isLast = begins.labUrl !== undefined && begins.url === new URL(start).href;
  return await search.among(isLast ? places : [...new Set([...places, start])]) ??
    await search.among(linksFor(signedIn.browser, landing)) ??
    await search.among([start]) ??
    failToFind(search.problem(), start);
}

/** Searches URLs for one that shows who is signed in, and keeps why none of them does. */
function createSearch(
  application: DrillApplication,
  { browser }: SignedInBrowser,
  openBrowser: () => DrillBrowser,
) {
  let problem: string | undefined;
  /** Another login: what only one session shows, such as a token against forgery, is no mark. */
  let another: Promise<DrillBrowser> | undefined;
  const signInAgain = () =>
    another ??= signIn(application, openBrowser()).then((signedIn) => signedIn.browser);
  const openAnonymous = (url: string) => openBrowser().open(url);

  /** A page that only someone who is signed in can open is the surest sign. */
  async function isProtected(url: string, signedOut: DrillPage): Promise<boolean> {
    if (signedOutReason(url, signedOut) === undefined) return false;
    const reason = signedOutReason(url, await browser.copy().open(url));
    problem ??= reason;
    return reason === undefined;
  }

  async function compare(url: string, first: DrillPage): Promise<SignedInCheck | undefined> {
    const one = await browser.copy().open(url);
    const second = await openAnonymous(url);
    const other = await (await signInAgain()).copy().open(url);
    const opens = [one, other].every((page) => signedOutReason(url, page) === undefined);
    const marks = opens && compareVisits({ signedOut: [first, second], signedIn: [one, other] });
    if (marks) return { check: url, marks };
    problem ??= `${withoutQuery(url)} opens without a login, and shows the same then.`;
    return undefined;
  }

  return {
    problem: () => problem,
    async among(urls: readonly string[]): Promise<SignedInCheck | undefined> {
      const open: Array<[url: string, page: DrillPage]> = [];
      for (const url of urls) {
        const page = await openAnonymous(url);
        if (await isProtected(url, page)) return { check: url };
        if (signedOutReason(url, page) === undefined) open.push([url, page]);
      }
      for (const [url, page] of open) {
        const found = await compare(url, page);
        if (found) return found;
      }
      return undefined;
    },
  };
}

/** Returns where a page leads its user, without what may change something or end the session. */
function linksFor(browser: DrillBrowser, page: DrillPage): string[] {
  return linksOf([page]).filter((url) => {
    const isPlain = new URL(url).search === "" && new URL(url).hash === "";
    return isPlain && url !== page.url && !browser.isLab(url);
  }).slice(0, maxLinks);
}

function failToFind(problem: string | undefined, near: string): never {
  const reason = problem ?? "No page shows who is signed in.";
  throw new LabError(
    `${reason} Best: a page that needs a login, such as ${new URL("/account", near).href}. ` +
      "Name it as the check URL: --check in a terminal, check in drill_app and in POST /lab/drill, " +
      '"URL that needs a login" on the page.',
    { field: "check" },
  );
}
