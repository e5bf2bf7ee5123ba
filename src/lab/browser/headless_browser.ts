import { issuerUrl } from "../../protocol/issuer_url.ts";
import { LabError } from "../lab_error.ts";
import { findForm, textOf } from "./html_forms.ts";

type Fetch = (request: Request) => Promise<Response>;

/** What a person does with the pages that they meet. */
export interface UserActions {
  /** The name of a user. */
  user?: string;
  /** Signs in by password, where one is given; with one click otherwise. */
  password?: string;
  /** Default: allow. */
  decision?: "allow" | "deny";
}

/** What the browser brings back to the client. */
export interface AuthorizationResult {
  /** The URL of the callback; for a response by POST, the redirect URI. */
  callback: string;
  /** The authorization code, where it was allowed. */
  code?: string;
  /** The error code, where it was not. */
  error?: string;
  /** All members of the response. */
  parameters: Record<string, string>;
  /** The page that sends the response by POST, where that is the way. */
  page?: string;
}

/** A browser without a screen: it keeps cookies, follows redirects and fills in forms. */
export interface HeadlessBrowser {
  /** Name and value of each cookie. */
  readonly cookies: Map<string, string>;
  /** Plays a person's part from the authorization URL to the callback. */
  authorize(url: string, actions?: UserActions): Promise<AuthorizationResult>;
}

interface LoadedPage {
  url: string;
  status: number;
  /** Where a redirect leads out of the server. */
  location?: string;
  html: string;
}

/** More pages than a flow has. */
const maxPages = 10;

export function createHeadlessBrowser(
  fetch: Fetch,
  addresses: readonly string[],
  cookies = new Map<string, string>(),
): HeadlessBrowser {
  const ours = addresses.map((address) => issuerUrl(address, "/oauth2/"));

  async function open(url: string, init: RequestInit = {}): Promise<LoadedPage> {
    const headers = new Headers({ Accept: "text/html", ...init.headers });
    if (cookies.size > 0) {
      headers.set(
        "Cookie",
        [...cookies].map((cookie) => cookie.join("=")).join("; "),
      );
    }
    const response = await fetch(new Request(url, { redirect: "manual", ...init, headers }));
    for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie);
    const location = response.headers.get("Location");
    const html = await response.text();
    if (location === null) return { url, status: response.status, html };
    const next = new URL(location, url).href;
    return ours.some((start) => next.startsWith(start))
      ? await open(next)
      : { url, status: response.status, location: next, html };
  }

  async function submit(
    page: LoadedPage,
    id: string,
    fields: Record<string, string>,
  ): Promise<LoadedPage> {
    const { action, hidden } = findForm(page.html, id, page.url)!;
    const body = new URLSearchParams({ ...hidden, ...fields }).toString();
    return await open(action, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body,
    });
  }

  async function answer(
    page: LoadedPage,
    { user, password, decision = "allow" }: UserActions,
  ): Promise<LoadedPage | undefined> {
    const has = (id: string) => page.html.includes(`<form id="${id}"`);
    if (has("consent")) return await submit(page, "consent", { decision });
    if (has("select-account")) return await submit(page, "select-account", { account: "this" });
    if (!has("sign-in") || user === undefined) return undefined;
    return await submit(
      page,
      "sign-in",
      password === undefined ? { one_click: user } : { username: user, password },
    );
  }

  return {
    cookies,
    async authorize(url, actions = {}) {
      let page = await open(url);
      for (let count = 0; count < maxPages; count++) {
        const result = resultOf(page);
        if (result) return result;
        const next = page.status === 200 ? await answer(page, actions) : undefined;
        if (!next) throw stuckError(page, actions);
        page = next;
      }
      throw stuckError(page, actions);
    },
  };
}

function keep(cookies: Map<string, string>, cookie: string): void {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  if (name === undefined) return;
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
  return form && toResult(form.action, form.hidden, html);
}

/** What leads elsewhere without a response is no callback. */
function toResult(
  callback: string,
  parameters: Record<string, string>,
  page?: string,
): AuthorizationResult | undefined {
  const { code, error, response } = parameters;
  return code ?? error ?? response
    ? { callback, code, error, parameters, ...page !== undefined && { page } }
    : undefined;
}

function stuckError(page: LoadedPage, { user }: UserActions): LabError {
  const place = `${page.status} ${page.url.split("?")[0]}`;
  const said = textOf(/<main[\s\S]*<\/main>/.exec(page.html)?.[0] ?? page.html).slice(0, 500);
  const isUnnamed = user === undefined && page.html.includes('<form id="sign-in"');
  if (isUnnamed) {
    return new LabError(`Nobody was named to sign in, and the page at ${place} asks for somebody.`);
  }
  return new LabError(`There is no way on from the page at ${place}, which says: ${said}`);
}
