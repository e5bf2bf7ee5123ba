import { LabError } from "../../util/lab_error.ts";
import {
  type DrillApplication,
  type LoginBrowsers,
  openStart,
  type SignedInBrowser,
  signedOutReason,
} from "./application_login.ts";
import { aboutField, withoutQuery } from "./drill_access.ts";

/**
 * Checks that a login can be drilled: the check URL must notice someone who is not signed in, or it
 * proves nothing. Without one, the start URL must at least lead to the lab.
 */
export async function checkSignedOut(
  { start, check }: DrillApplication,
  { openBrowser }: LoginBrowsers,
): Promise<void> {
  if (check !== undefined) {
    const page = await aboutField("check", () => openBrowser().open(check));
    if (signedOutReason(check, page) !== undefined) return;
    throw new LabError(
      `${withoutQuery(check)} opens without a login, so it cannot show whether someone is signed ` +
        "in. The check URL must lead to the lab, or respond with an error.",
      { field: "check" },
    );
  }
  const page = await aboutField("start", () => openStart(openBrowser(), start));
  if (page.labUrl !== undefined || page.status >= 400) return;
  const links = page.tried.map(withoutQuery).join(", ");
  const seen = links === ""
    ? ""
    : ` Its links that look like a sign-in do not lead here: ${links}.`;
  throw new LabError(
    `${withoutQuery(start)} opens without a login, so it does not begin one.${seen} Name a start ` +
      "URL that does, such as /login, and a check URL that only someone who is signed in can open.",
    { field: "check" },
  );
}

/**
 * Returns the check URL: the given one, the page that a login ended at, or the start URL. Each is
 * opened by a copy of the browser, because a URL that begins a login may end the session.
 */
export async function findCheck(
  { start, check }: DrillApplication,
  { browser, landing }: SignedInBrowser,
  { openBrowser }: LoginBrowsers,
): Promise<string> {
  if (check !== undefined) return check;
  const { searchParams } = new URL(landing.url);
  const isCallback = searchParams.has("code") || searchParams.has("state");
  const places = isCallback ? [start] : [landing.url, start];
  let problem = "no page shows who is signed in.";
  for (const url of places) {
    const signedIn = signedOutReason(url, await browser.copy().open(url));
    const signedOut = signedOutReason(url, await openBrowser().open(url));
    if (signedIn === undefined && signedOut !== undefined) return url;
    problem = signedIn ?? `${withoutQuery(url)} shows the same page to everyone.`;
  }
  throw new LabError(
    `After the callback, ${problem} If that URL always begins a login, or needs none, name a check ` +
      "URL that only someone who is signed in can open.",
    { field: "check" },
  );
}
