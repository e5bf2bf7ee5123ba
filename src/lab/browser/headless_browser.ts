import type { EndpointPaths } from "../../server/config/paths_config.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { findForm, type HtmlForm, textOf } from "../util/html_forms.ts";
import { LabError } from "../util/lab_error.ts";

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
}

/** The authorization response, as the browser brings it to the client. */
export interface AuthorizationResult {
  /** The URL of the callback; for `form_post`, the redirect URI. */
  callback: string;
  /** The authorization code, if the user allowed the request. */
  code?: string | undefined;
  /** The error code, if there is no authorization code. */
  error?: string | undefined;
  /** All parameters of the response. */
  parameters: Record<string, string>;
  /** For `form_post`, the HTML of the page that sends the response. */
  page?: string | undefined;
}

/** A browser without a screen: it keeps cookies, follows redirects and fills in forms. */
export interface HeadlessBrowser {
  /** The name and value of each cookie. */
  readonly cookies: Map<string, string>;
  /**
   * Plays a user's part, from an authorization URL to the callback.
   *
   * @throws {LabError} A page has no way forward; the message quotes it.
   */
  authorize(url: string, actions?: UserActions): Promise<AuthorizationResult>;
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
}

interface LoadedPage {
  url: string;
  status: number;
  /** Where a redirect leaves the server. */
  location?: string;
  html: string;
}

export function createHeadlessBrowser(
  { fetch, addresses, paths, describeRefused }: BrowserTarget,
  cookies: Map<string, string> = new Map(),
): HeadlessBrowser {
  const endpoints = ["/oauth2/", paths.authorize, paths.device, paths.logout, paths.interaction];
  const ownUrls = addresses.flatMap((address) => endpoints.map((path) => issuerUrl(address, path)));

  async function open(url: string, init: RequestInit = {}): Promise<LoadedPage> {
    const headers = new Headers({ Accept: "text/html", ...init.headers });
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
      ? await open(next)
      : { url, status: response.status, location: external, html };
  }

  async function submit({ action, hidden }: HtmlForm, fields: FormFields): Promise<LoadedPage> {
    return await open(action, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams([...hidden, ...Object.entries(fields)]).toString(),
    });
  }

  return {
    cookies,
    async authorize(url, actions = {}) {
      let page = await open(url);
      for (let count = 0; count < maxPages; count++) {
        const result = resultOf(page);
        if (result) return result;
        const next = nextForm(page, actions);
        if (!next) throw stuckError(page, actions, describeRefused?.(page.url));
        page = await submit(next.form, next.fields);
      }
      throw stuckError(page, actions, describeRefused?.(page.url));
    },
  };
}

/** Returns whether a URL is another one, or below it. */
function isWithin(url: string, start: string): boolean {
  if (!url.startsWith(start)) return false;
  return start.endsWith("/") || /^(?:[/?#]|$)/.test(url.slice(start.length));
}

type FormFields = Record<string, string>;

interface FilledForm {
  form: HtmlForm;
  fields: FormFields;
}

/** Returns the form that the user sends from a page, or undefined if there is no way forward. */
function nextForm(
  { status, html, url }: LoadedPage,
  { user, password, decision = "allow" }: UserActions,
): FilledForm | undefined {
  if (status !== 200) return undefined;
  const consent = findForm(html, "consent", url);
  if (consent) return { form: consent, fields: { decision } };
  const account = findForm(html, "select-account", url);
  if (account) return { form: account, fields: { account: "this" } };
  const signIn = findForm(html, "sign-in", url);
  if (!signIn || user === undefined) return undefined;
  const fields: FormFields = password === undefined
    ? { one_click: user }
    : { username: user, password };
  return { form: signIn, fields };
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
  return form && toResult(form.action, Object.fromEntries(form.hidden), html);
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
