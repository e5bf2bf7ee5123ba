type Fetch = (request: Request) => Promise<Response>;

/** A page as a browser has it before it. */
export interface Shown {
  url: string;
  status: number;
  headers: Headers;
  html: string;
}

/** What a person does with the pages that they meet on the way. */
export interface Person {
  user?: string;
  password?: string;
  decision?: "allow" | "deny";
}

/** A browser without a screen: it keeps cookies, follows redirects and sends forms, all in this process. */
export interface Browser {
  cookies: Map<string, string>;
  /** One request, without following anywhere. */
  request(url: string, init?: RequestInit): Promise<Response>;
  /** Goes to a page, through all redirects of the server. Where one leads out of it, that is the end, with status 303. */
  open(url: string): Promise<Shown>;
  /** Fills in a form of a page and sends it by the given button. */
  submit(page: Shown, form: string, fields?: Record<string, string>): Promise<Shown>;
  /** Plays a person's part from the authorization URL to the callback, whose URL it gives back. */
  authorize(url: string, person?: Person): Promise<string>;
}

export function createBrowser(fetch: Fetch, isOutside: (url: string) => boolean): Browser {
  const cookies = new Map<string, string>();

  async function request(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) {
      headers.set(
        "Cookie",
        [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      );
    }
    const response = await fetch(new Request(url, { ...init, headers }));
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (/Max-Age=0/.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  async function follow(url: string, init?: RequestInit): Promise<Shown> {
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
    return isOutside(next)
      ? { url: location, status: response.status, headers: response.headers, html: "" }
      : await follow(next);
  }

  const browser: Browser = {
    cookies,
    request,
    open: (url) => follow(url),
    submit(page, form, fields = {}) {
      const { action, hidden } = readForm(page, form);
      return follow(action, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ ...hidden, ...fields }),
      });
    },
    async authorize(url, { user = "alice", password = user, decision = "allow" } = {}) {
      let page = await browser.open(url);
      for (let step = 0; step < 5 && page.status === 200; step++) {
        page = await answer(browser, page, { user, password, decision });
      }
      if (page.status !== 303) {
        throw new Error(
          `No way from ${url} to a callback; the last page is ${page.status} ${page.url}: ${
            textOf(page.html)
          }`,
        );
      }
      return page.url;
    },
  };
  return browser;
}

async function answer(browser: Browser, page: Shown, person: Required<Person>): Promise<Shown> {
  if (page.html.includes('id="sign-in"')) {
    return await browser.submit(page, "sign-in", {
      username: person.user,
      password: person.password,
    });
  }
  if (page.html.includes('id="consent"')) {
    return await browser.submit(page, "consent", { decision: person.decision });
  }
  if (page.html.includes('id="select-account"')) {
    return await browser.submit(page, "select-account", { account: "this" });
  }
  throw new Error(`Nobody knows what to do with the page at ${page.url}: ${textOf(page.html)}`);
}

/** Reads a form by its id: where it goes, and what it carries unseen. */
export function readForm(
  page: Shown,
  id: string,
): { action: string; hidden: Record<string, string> } {
  const form = new RegExp(`<form id="${id}"[^>]*>[\\s\\S]*?</form>`).exec(page.html)?.[0];
  if (!form) throw new Error(`The page at ${page.url} has no form '${id}': ${textOf(page.html)}`);
  const action = new URL(unescape(/ action="([^"]*)"/.exec(form)![1]), page.url).href;
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map((
    [, name, value],
  ) => [name, unescape(value)]);
  return { action, hidden: Object.fromEntries(hidden) };
}

/** What one reads on a page. */
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
