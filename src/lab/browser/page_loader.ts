import type { EndpointPaths } from "../../server/config/paths_config.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { LoadedPage } from "./authorization_result.ts";
import type { FilledForm, ShownPages } from "./user_actions.ts";

export interface PageServer {
  fetch(request: Request): Promise<Response>;
  addresses: readonly string[];
  paths: EndpointPaths;
  /** Returns the URL of the server for one at another host that leads to it. */
  ownUrl?(url: URL): URL;
}

/** Loads pages as a browser does: it keeps cookies, and follows redirects within the server. */
export function createPageLoader(
  { fetch, addresses, paths, ownUrl = (url) => url }: PageServer,
  cookies: Map<string, string>,
) {
  const { authorize, device = [], logout = [], interaction } = paths;
  const endpoints = ["/oauth2/", authorize, device, logout, interaction].flat();
  const ownUrls = addresses.flatMap((address) => endpoints.map((path) => issuerUrl(address, path)));

  async function load(
    sentTo: string,
    shownPages: ShownPages,
    init: RequestInit = {},
  ): Promise<LoadedPage> {
    const headers = new Headers({ Accept: "text/html", ...shownPages, ...init.headers });
    const pairs = [...cookies].map(([name, value]) => `${name}=${value}`);
    if (pairs.length > 0) headers.set("Cookie", pairs.join("; "));
    const response = await fetch(new Request(sentTo, { redirect: "manual", ...init, headers }));
    for (const cookie of response.headers.getSetCookie()) storeCookie(cookies, cookie);
    const location = response.headers.get("Location");
    const html = await response.text();
    const { href: url } = ownUrl(new URL(sentTo));
    const page = { url, sentTo, status: response.status, html };
    if (location === null) return page;
    const next = new URL(location, url).href;
    // A parser would add a slash to a redirect URI without a path.
    const external = URL.canParse(location) ? location : next;
    return ownUrls.some((start) => isWithin(next, start))
      ? await load(next, shownPages)
      : { ...page, location: external };
  }

  return {
    open: (url: string, shownPages: ShownPages) => load(url, shownPages),
    submit: ({ form: { action, hidden }, fields }: FilledForm, shownPages: ShownPages) =>
      load(action, shownPages, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams([...hidden, ...fields]).toString(),
      }),
  };
}

/** Returns whether a URL is another one, or below it. */
function isWithin(url: string, start: string): boolean {
  if (!url.startsWith(start)) return false;
  return start.endsWith("/") || /^(?:[/?#]|$)/.test(url.slice(start.length));
}

function storeCookie(cookies: Map<string, string>, cookie: string): void {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  if (name === undefined || value === undefined) return;
  if (/;\s*Max-Age=0/i.test(cookie)) cookies.delete(name);
  else cookies.set(name, value);
}
