import { printable } from "../../server/util/text/printable.ts";
import { findForm, textOf, unescapeHtml } from "../util/html_forms.ts";
import { LabError } from "../util/lab_error.ts";
import { describeForeignUrl, isAddress } from "../util/own_addresses.ts";
import { type AuthorizationResult, type LoadedPage, resultOf } from "./authorization_result.ts";
import { createPageLoader, type PageServer } from "./page_loader.ts";
import { actionTime, nextForm, shownPagesFor, type UserActions } from "./user_actions.ts";

/** More pages than any flow has. */
const maxPages = 10;

/** A browser without a screen: it keeps cookies, follows redirects and fills in forms. */
export interface HeadlessBrowser {
  /** The name and value of each cookie. */
  readonly cookies: Map<string, string>;
  /**
   * Plays a user's part, from an authorization URL to the callback, or from the
   * `verification_uri_complete` of a device to its last page.
   *
   * @throws {LabError} A page has no way forward; the message quotes it.
   */
  authorize(
    url: string,
    actions?: UserActions,
    /** When the user acts, if `after` began earlier. */
    actsAt?: number,
  ): Promise<AuthorizationResult>;
  /**
   * Plays a user's part at a sign-out, from the URL of the `end_session_endpoint`. Returns where
   * the browser goes next, or undefined if it stays with the server. It ends the session of this
   * browser, if it has one.
   *
   * @throws {LabError} The sign-out was refused; the message quotes the page.
   */
  signOut(url: string): Promise<string | undefined>;
}

export function createHeadlessBrowser(
  { describeLastRefusal, now, waitUntil, ...server }: PageServer & {
    /** Describes why the last request to a URL was refused; undefined if it was not. */
    describeLastRefusal?(url: string): string | undefined;
    /** Returns the time on the clock of the lab, in milliseconds. */
    now(): number;
    /** Waits until the clock of the lab shows a time. */
    waitUntil(instant: number): Promise<void>;
  },
  cookies: Map<string, string> = new Map(),
): HeadlessBrowser {
  const { addresses } = server;
  const { open, submit } = createPageLoader(server, cookies);
  const stuck = (page: LoadedPage, actions: UserActions) =>
    stuckError(page, actions, { addresses, refused: describeLastRefusal?.(page.sentTo) });
  return {
    cookies,
    async authorize(url, actions = {}, actsAt = actionTime(now(), actions)) {
      const shownPages = shownPagesFor(actions);
      let page = await open(url, shownPages);
      if (actsAt !== undefined && !resultOf(page)) await waitUntil(actsAt);
      let remaining = actions;
      for (let count = 0; count < maxPages; count++) {
        const result = resultOf(page);
        if (result) return result;
        const next = nextForm(page, remaining);
        if (!next) throw stuck(page, actions);
        // A request for which that was too long ago shows the page again.
        if (next.fields.some(([name]) => name === "auth_time")) {
          remaining = { ...actions, authTime: undefined };
        }
        page = await submit(next, shownPages);
      }
      throw stuck(page, actions);
    },
    async signOut(url) {
      const asked = await open(url, {});
      const form = findForm(asked.html, "confirm-sign-out", asked.url);
      const page = form ? await submit({ form, fields: [] }, {}) : asked;
      if (page.status >= 400) throw stuck(page, {});
      return page.location ?? continueUrl(page.html);
    },
  };
}

/** Returns where the link of the page that confirms a sign-out leads. */
function continueUrl(html: string): string | undefined {
  const [, href] = /<a id="continue"[^>]* href="([^"]*)"/.exec(html) ?? [];
  return href === undefined ? undefined : unescapeHtml(href);
}

function stuckError(
  { status, url, sentTo, location, html }: LoadedPage,
  { user }: UserActions,
  { addresses, refused }: { addresses: readonly string[]; refused: string | undefined },
): LabError {
  const place = `${sentTo.split("?")[0]} (status ${status})`;
  if (status === 404) {
    return new LabError(
      `The lab has no page at ${place}. Pass the URL of an authorization request: the Location ` +
        "with which your application answers at the URL that begins a login.",
    );
  }
  // Every host of this machine reaches the lab in process, and its pages lead elsewhere.
  if (location !== undefined && !isAddress(url, addresses)) {
    return new LabError(describeForeignUrl(url, addresses));
  }
  if (user === undefined && html.includes('<form id="sign-in"')) {
    return new LabError(`The page at ${place} asks for a sign-in. Name a user: { user: "alice" }.`);
  }
  if (refused !== undefined) {
    return new LabError(`The flow ends at the page ${place}: ${printable(refused)}`);
  }
  const [start, end] = [html.indexOf("<main"), html.lastIndexOf("</main>")];
  const main = start >= 0 && end > start ? html.slice(start, end) : html;
  const text = textOf(main).slice(0, 500);
  return new LabError(`The flow ends at the page ${place}, which reads: ${text}`);
}
