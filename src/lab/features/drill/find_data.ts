import { ignoreProblem } from "../verdicts/drill_access.ts";
import type { CheckedApplication, SignedInBrowser } from "./application_login.ts";
import type { DrillPage } from "./drill_browser.ts";
import { isHarmless } from "./page_controls.ts";

/** So much of what frameworks have, and pages and scripts name, is loaded. */
const mostLoaded = 30;

/** What looks like a script, data of a user or the settings of a script. */
const likely = /api|session|user|config|setting|env|profile|\bme\b|\.js/i;

/** Where scripts ask who is signed in, and how they are set, in many frameworks. */
const usualData = [
  ...["/api/session", "/api/auth/session", "/api/auth/get-session", "/api/me", "/api/user"],
  ...["/auth/me", "/.auth/me", "/bff/user", "/oauth2/userinfo", "/session", "/me", "/userinfo"],
  ...["/config.json", "/config.js", "/env.js", "/settings.json"],
];

/**
 * Loads data that frameworks have, the scripts of the pages that a user sees, and what these name.
 * Returns the URLs that respond with something else than a page.
 */
export async function findData(
  { start }: CheckedApplication,
  { browser, landing }: SignedInBrowser,
  check: DrillPage,
): Promise<string[]> {
  const urls = new Set(usualData.map((path) => new URL(path, start).href));
  const addNamed = (named: readonly string[]) => {
    for (const url of named.filter((each) => likely.test(new URL(each).pathname))) {
      if (urls.size < mostLoaded && isHarmless({ text: "", url })) urls.add(url);
    }
  };
  addNamed([landing, check].flatMap((page) => page.resources()));
  const found: string[] = [];
  // It goes on with what is added.
  for (const url of urls) {
    const page = await browser.copy().request(url).catch(ignoreProblem);
    const isPage = page?.headers.get("Content-Type")?.includes("html") ?? true;
    if (!page || isPage || page.status >= 300) continue;
    found.push(url);
    addNamed(page.resources());
  }
  return found;
}
