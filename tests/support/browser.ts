type Fetch = (request: Request) => Promise<Response>;

/** A page in a browser. */
export interface Page {
  url: string;
  status: number;
  headers: Headers;
  html: string;
}

/** What a user does on the pages of the server. */
export interface UserActions {
  user?: string;
  password?: string;
  decision?: "allow" | "deny";
}

/** A browser without a screen: it keeps cookies, follows redirects and submits forms. */
export interface Browser {
  cookies: Map<string, string>;
  /** What it sends as `Accept-Language`. */
  language?: string;
  /** What it sends as `User-Agent`. */
  userAgent?: string;
  /** Sends one request and follows no redirect. */
  request(url: string, init?: RequestInit): Promise<Response>;
  /** Opens a page and follows redirects; one that leaves the server is returned with its status. */
  open(url: string): Promise<Page>;
  /** Submits a form of a page. */
  submit(
    page: Page,
    form: string,
    fields?: Record<string, string>,
    repeated?: ReadonlyArray<[name: string, value: string]>,
  ): Promise<Page>;
  signIn(page: Page, user?: string, password?: string): Promise<Page>;
  /** Signs in by a click on the user, as a lab offers it. */
  click(page: Page, user?: string): Promise<Page>;
  decide(page: Page, decision?: "allow" | "deny"): Promise<Page>;
  /** Signs in, decides, and returns the URL of the callback. */
  authorize(url: string, actions?: UserActions): Promise<string>;
}

export function createBrowser(
  fetch: Fetch,
  isExternal: (url: string) => boolean,
  cookies: Browser["cookies"] = new Map(),
): Browser {
  async function request(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) {
      headers.set("Cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    if (browser.language) headers.set("Accept-Language", browser.language);
    if (browser.userAgent) headers.set("User-Agent", browser.userAgent);
    const response = await fetch(new Request(url, { ...init, headers }));
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/Max-Age=0/.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async function follow(url: string, init?: RequestInit): Promise<Page> {
    const response = await request(url, init);
    const location = response.headers.get("Location");
    if (location === null) {
      return {
        url,
        status: response.status,
        headers: response.headers,
        html: await response.text(),
      };
    }
    await response.arrayBuffer();
    const next = new URL(location, url).href;
    return isExternal(next)
      ? { url: location, status: response.status, headers: response.headers, html: "" }
      : await follow(next);
  }

  const browser: Browser = {
    cookies,
    request,
    open: (url) => follow(url),
    submit(page, form, fields = {}, repeated = []) {
      const { action, hidden } = readForm(page, form);
      return follow(action, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams([...Object.entries({ ...hidden, ...fields }), ...repeated]),
      });
    },
    signIn: (page, username = "alice", password = username) =>
      browser.submit(page, "sign-in", { username, password }),
    click: (page, user = "alice") => browser.submit(page, "one-click", { one_click: user }),
    decide: (page, decision = "allow") => browser.submit(page, "consent", { decision }),
    async authorize(url, actions) {
      const page = await answerPages(browser, await browser.open(url), actions);
      if (page.status === 303) return page.url;
      const last = `${page.status} ${page.url}: ${textOf(page.html)}`;
      throw new Error(`The authorization did not lead to a callback; the last page is ${last}`);
    },
  };
  return browser;
}

/** Signs in and decides for as long as the server asks for it, and returns the page after that. */
export async function answerPages(
  browser: Browser,
  first: Page,
  { user = "alice", password = user, decision = "allow" }: UserActions = {},
): Promise<Page> {
  const fieldsOf: Record<string, Record<string, string>> = {
    "sign-in": { username: user, password },
    "consent": { decision },
    "select-account": { account: "this" },
  };
  let page = first;
  for (let step = 0; step < 5; step++) {
    const form = Object.keys(fieldsOf).find((id) => page.html.includes(`<form id="${id}"`));
    if (form === undefined) break;
    page = await browser.submit(page, form, fieldsOf[form]);
  }
  return page;
}

/** Reads the action and the hidden fields of a form. */
export function readForm(
  page: Pick<Page, "url" | "html">,
  id: string,
): { action: string; hidden: Record<string, string> } {
  const form = new RegExp(`<form id="${id}"[^>]*>[\\s\\S]*?</form>`).exec(page.html)?.[0];
  if (!form) throw new Error(`The page at ${page.url} has no form '${id}': ${textOf(page.html)}`);
  const action = new URL(unescape(/ action="([^"]*)"/.exec(form)?.[1] ?? ""), page.url).href;
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map((
    [, name, value = ""],
  ) => [name, unescape(value)]);
  return { action, hidden: Object.fromEntries(hidden) };
}

/** Returns the visible text of a page. */
export function textOf(html: string): string {
  return unescape(
    html.replaceAll("<wbr/>", "").replace(/<head>[\s\S]*?<\/head>/, "").replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " "),
  ).trim();
}

export function unescape(html: string): string {
  return html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll(
    "&#39;",
    "'",
  ).replaceAll("&amp;", "&");
}
