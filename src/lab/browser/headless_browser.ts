import type { EndpointPaths } from "../../server/config/paths_config.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { Duration } from "../../server/util/time/duration.ts";
import { readSpan } from "../util/clock.ts";
import { findForm, type HtmlForm, textOf, unescapeHtml } from "../util/html_forms.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import { shownPagesHeader } from "../util/user_decision.ts";

/** More pages than any flow has. */
const maxPages = 10;

/** What a user does on the pages of a flow. */
export interface UserActions {
  /** The name of the user who signs in. */
  user?: string | undefined;
  /** The password to sign in with; without one, a click on the user signs in. */
  password?: string | undefined;
  /**
   * What the user decides on the consent page.
   *
   * @default "allow"
   */
  decision?: "allow" | "deny" | undefined;
  /**
   * The part of the scope that the user allows: the boxes that stay ticked on the consent page.
   * The client or a resource of the request needs `partialConsent`.
   *
   * @default all that is requested
   */
  grant?: readonly string[] | undefined;
  /**
   * How long the user looks at the first page before acting, on the clock of the lab: `"3m"`. The
   * result comes when a test has moved the clock that far, or so much time has passed.
   *
   * @default the user acts at once
   */
  after?: Duration | undefined;
}

/** The authorization response, as the browser brings it to the client. */
export interface AuthorizationResult {
  /**
   * The URL of the callback; for `form_post`, the redirect URI; for a device, that of the last page.
   */
  callback: string;
  /** The authorization code, if the user allowed the request. */
  code?: string | undefined;
  /** The error code, if there is no authorization code. */
  error?: string | undefined;
  /** All parameters of the response. */
  parameters: Record<string, string>;
  /** For `form_post`, the HTML of the page that sends the response. */
  page?: string | undefined;
  /** For the URL of a device (`verification_uri_complete`), what its user decided. */
  device?: "allowed" | "denied" | undefined;
}

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
}

/** The server behind a browser. */
export interface BrowserTarget {
  fetch(request: Request): Promise<Response>;
  /** The addresses of the server. */
  addresses: readonly string[];
  /** The configured paths of its endpoints. */
  paths: EndpointPaths;
  /** Describes why the last request to a URL was refused; undefined if it was not. */
  describeRefused?(url: string): string | undefined;
  /** Returns the time on the clock of the lab, in milliseconds. */
  now(): number;
  /** Waits until the clock of the lab shows a time. */
  waitUntil(instant: number): Promise<void>;
}

interface LoadedPage {
  url: string;
  status: number;
  /** Where a redirect leaves the server. */
  location?: string;
  html: string;
}

export function createHeadlessBrowser(
  { fetch, addresses, paths, describeRefused, now, waitUntil }: BrowserTarget,
  cookies: Map<string, string> = new Map(),
): HeadlessBrowser {
  const endpoints = ["/oauth2/", paths.authorize, paths.device, paths.logout, paths.interaction];
  const ownUrls = addresses.flatMap((address) => endpoints.map((path) => issuerUrl(address, path)));

  async function open(
    url: string,
    shownPages: ShownPages,
    init: RequestInit = {},
  ): Promise<LoadedPage> {
    const headers = new Headers({ Accept: "text/html", ...shownPages, ...init.headers });
    if (cookies.size > 0) headers.set("Cookie", formatCookies(cookies));
    const response = await fetch(new Request(url, { redirect: "manual", ...init, headers }));
    for (const cookie of response.headers.getSetCookie()) storeCookie(cookies, cookie);
    const location = response.headers.get("Location");
    const html = await response.text();
    if (location === null) return { url, status: response.status, html };
    const next = new URL(location, url).href;
    // A parser would add a slash to a redirect URI without a path.
    const external = URL.canParse(location) ? location : next;
    return ownUrls.some((start) => isWithin(next, start))
      ? await open(next, shownPages)
      : { url, status: response.status, location: external, html };
  }

  async function submit(
    { form: { action, hidden }, fields }: FilledForm,
    shownPages: ShownPages,
  ): Promise<LoadedPage> {
    return await open(action, shownPages, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams([...hidden, ...fields]).toString(),
    });
  }

  return {
    cookies,
    async authorize(url, actions = {}, actsAt = actionTime(now(), actions)) {
      const shownPages = shownPagesFor(actions);
      let page = await open(url, shownPages);
      if (actsAt !== undefined && !resultOf(page)) await waitUntil(actsAt);
      for (let count = 0; count < maxPages; count++) {
        const result = resultOf(page);
        if (result) return result;
        const next = nextForm(page, actions);
        if (!next) throw stuckError(page, actions, describeRefused?.(page.url));
        page = await submit(next, shownPages);
      }
      throw stuckError(page, actions, describeRefused?.(page.url));
    },
  };
}

/** Returns when the user acts, in milliseconds; undefined if it is at once. */
export function actionTime(now: number, { after }: UserActions): number | undefined {
  if (after === undefined) return undefined;
  const span = readSpan(after);
  if (span >= 0) return now + span;
  throw new LabError("The 'after' must not be negative: a user acts now or later.");
}

/** Returns whether a URL is another one, or below it. */
function isWithin(url: string, start: string): boolean {
  if (!url.startsWith(start)) return false;
  return start.endsWith("/") || /^(?:[/?#]|$)/.test(url.slice(start.length));
}

type FormFields = Array<[name: string, value: string]>;

/** The header for the pages that the lab must not skip, because the user has actions for them. */
type ShownPages = Record<string, string>;

function shownPagesFor({ user, password, decision, grant, after }: UserActions): ShownPages {
  const decides = decision !== undefined || grant !== undefined;
  const acts = decides || [user, password, after].some((each) => each !== undefined);
  if (!acts) return {};
  return { [shownPagesHeader]: decides ? "sign-in, consent" : "sign-in" };
}

interface FilledForm {
  form: HtmlForm;
  fields: FormFields;
}

/** Returns the form that the user sends from a page, or undefined if there is no way forward. */
function nextForm(
  { status, html, url }: LoadedPage,
  { user, password, decision = "allow", grant }: UserActions,
): FilledForm | undefined {
  if (status !== 200) return undefined;
  const consent = findForm(html, "consent", url);
  if (consent) {
    return { form: consent, fields: [["decision", decision], ...tickedBoxes(consent, grant)] };
  }
  const account = findForm(html, "select-account", url);
  if (account) return { form: account, fields: [["account", "this"]] };
  const device = findForm(html, "device", url);
  if (device) return fillDeviceForm(device, html);
  const signIn = findForm(html, "sign-in", url);
  if (!signIn || user === undefined) return undefined;
  const fields: FormFields = password === undefined
    ? [["one_click", user]]
    : [["username", user], ["password", password]];
  return { form: signIn, fields };
}

/** Returns the boxes of the consent page that are ticked: all of them, unless a test names some. */
function tickedBoxes({ hidden }: HtmlForm, grant: readonly string[] | undefined): FormFields {
  const choices = hidden.find(([name]) => name === "choices")?.[1].split(" ") ?? [];
  if (grant && choices.length === 0) {
    throw new LabError(
      "The consent page has no boxes for the 'grant'. Set partialConsent: true for the client or " +
        "a resource of the request.",
    );
  }
  const unknown = grant?.find((token) => token !== "openid" && !choices.includes(token));
  if (unknown !== undefined) throw unknownName("box on the consent page", unknown, choices);
  const ticked = choices.filter((token) => grant?.includes(token) !== false);
  return ticked.map((token): [string, string] => ["scope", token]);
}

/** Confirms the code that came in the link. */
function fillDeviceForm(form: HtmlForm, html: string): FilledForm {
  const code = /<input id="user_code"[^>]* value="([^"]+)"/.exec(html)?.[1];
  if (code === undefined) {
    throw new LabError("The page asks for the code of a device: open verification_uri_complete.");
  }
  return { form, fields: [["user_code", code]] };
}

function formatCookies(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

function storeCookie(cookies: Map<string, string>, cookie: string): void {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  if (name === undefined || value === undefined) return;
  if (/;\s*Max-Age=0/i.test(cookie)) cookies.delete(name);
  else cookies.set(name, value);
}

function resultOf({ url, location, html }: LoadedPage): AuthorizationResult | undefined {
  if (location !== undefined) {
    const { searchParams, hash } = new URL(location);
    return toResult(
      location,
      Object.fromEntries([...searchParams, ...new URLSearchParams(hash.slice(1))]),
    );
  }
  const form = findForm(html, "form-post", url);
  if (form) return toResult(form.action, Object.fromEntries(form.hidden), html);
  const onward = onwardResult(url, html);
  // Any other error is a mistake, which the page explains.
  return deviceResult(url, html) ?? (onward?.error === "access_denied" ? onward : undefined);
}

function deviceResult(url: string, html: string): AuthorizationResult | undefined {
  const [, device] = /<section class="card" id="device-(allowed|denied)"/.exec(html) ?? [];
  if (device !== "allowed" && device !== "denied") return undefined;
  return { callback: url, parameters: {}, device };
}

/**
 * Follows the link of an error page: that is how the error reaches a client that registered itself.
 */
function onwardResult(url: string, html: string): AuthorizationResult | undefined {
  const form = findForm(html, "onward", url);
  if (form) return toResult(form.action, Object.fromEntries(form.hidden), html);
  const [, href] = /<a id="onward" href="([^"]*)"/.exec(html) ?? [];
  return href === undefined
    ? undefined
    : resultOf({ url, status: 303, location: unescapeHtml(href), html: "" });
}

/**
 * Returns undefined for a redirect that carries no authorization response: it is not a callback.
 */
function toResult(
  callback: string,
  parameters: Record<string, string>,
  page?: string,
): AuthorizationResult | undefined {
  const { code, error, response } = parameters;
  return code ?? error ?? response ?? parameters.id_token
    ? { callback, code, error, parameters, page }
    : undefined;
}

function stuckError(
  { status, url, html }: LoadedPage,
  { user }: UserActions,
  refused: string | undefined,
): LabError {
  const place = `${url.split("?")[0]} (status ${status})`;
  if (user === undefined && html.includes('<form id="sign-in"')) {
    return new LabError(`The page at ${place} asks for a sign-in. Name a user: { user: "alice" }.`);
  }
  if (refused !== undefined) return new LabError(`The flow ends at the page ${place}: ${refused}`);
  const text = textOf(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html).slice(0, 500);
  return new LabError(`The flow ends at the page ${place}, which reads: ${text}`);
}
