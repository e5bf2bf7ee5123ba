import { readForm, textOf } from "../../support/browser.ts";

/** A page that a browser shows. */
export interface VisitedPage {
  url: string;
  status: number;
  html: string;
}

const maxRequests = 30;

/**
 * A person with a browser: it keeps the cookies of each origin, follows redirects, sends what
 * browsers send, and signs in on the pages of the lab.
 */
export function createVisitor(send: (request: Request) => Promise<Response>, issuer: string) {
  const jars = new Map<string, Map<string, string>>();
  let last = "";
  let labPages = 0;

  async function request(url: string, init: RequestInit = {}): Promise<Response> {
    const { hostname, origin } = new URL(url);
    const jar = jars.get(hostname) ?? new Map<string, string>();
    jars.set(hostname, jar);
    const headers = new Headers(init.headers);
    headers.set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    headers.set("Sec-Fetch-Mode", "navigate");
    headers.set("Sec-Fetch-Dest", "document");
    headers.set("Sec-Fetch-Site", last === "" ? "none" : "same-site");
    if (last !== "") {
      const isSame = new URL(last).origin === origin;
      headers.set("Referer", isSame ? last : `${new URL(last).origin}/`);
      if (init.method === "POST") headers.set("Origin", new URL(last).origin);
    }
    if (jar.size > 0) {
      headers.set("Cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    if (url.startsWith(issuer)) labPages++;
    const response = await send(new Request(url, { redirect: "manual", ...init, headers }));
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0\b|expires=thu, 01[- ]jan[- ]1970/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  async function follow(first: string, init: RequestInit = {}): Promise<VisitedPage> {
    let [url, options] = [first, init];
    for (let count = 0; count < maxRequests; count++) {
      const response = await request(url, options);
      const { status } = response;
      const location = response.headers.get("Location");
      const html = await response.text();
      if (location !== null && status >= 300 && status < 400) {
        url = new URL(location, url).href;
        if (status !== 307 && status !== 308) options = {};
        continue;
      }
      last = url;
      const next = formOf({ url, status, html });
      if (next === undefined) return { url, status, html };
      [url, options] = [next.action, post(next.fields)];
    }
    throw new Error(`${first} leads on and on.`);
  }

  /** Returns the form that a person sends at once: of the lab, or what a script would send. */
  function formOf(page: VisitedPage) {
    if (!page.url.startsWith(issuer)) return undefined;
    const known: Array<[id: string, fields: Record<string, string>]> = [
      ["one-click", { one_click: "alice" }],
      ["consent", { decision: "allow" }],
      ["logout", {}],
    ];
    for (const [id, fields] of known) {
      if (!page.html.includes(`<form id="${id}"`)) continue;
      const { action, hidden } = readForm(page, id);
      return { action, fields: { ...hidden, ...fields } };
    }
    const [form] = /<form\b[^>]*method="post"[^>]*>[\s\S]*?<\/form>/i.exec(page.html) ?? [];
    const action = / action="([^"]+)"/.exec(form ?? "")?.[1];
    // A response by form_post.
    if (action === undefined || action.startsWith(issuer) || action.startsWith("/")) {
      return undefined;
    }
    return { action, fields: fieldsOf(form ?? "") };
  }

  /** Sends the forms of a page that need no input until one leads to the lab. */
  async function pressButtons(page: VisitedPage): Promise<VisitedPage> {
    for (const form of page.html.match(/<form\b[^>]*>[\s\S]*?<\/form>/gi) ?? []) {
      if (/type=["']?(?:password|email|text)/i.test(form)) continue;
      const before = labPages;
      const next = await follow(actionOf(form, page.url), post(fieldsOf(form)));
      if (labPages > before) return next;
    }
    return page;
  }

  return {
    open: (url: string): Promise<VisitedPage> => follow(url),
    /** Opens a page that leads to the lab, or presses its button. */
    async signIn(url: string): Promise<VisitedPage> {
      const before = labPages;
      const page = await follow(url);
      return labPages > before ? page : await pressButtons(page);
    },
    /** Opens a page, or sends the form that leads to it. */
    async press(url: string, from?: VisitedPage): Promise<VisitedPage> {
      const forms = from?.html.match(/<form\b[^>]*>[\s\S]*?<\/form>/gi) ?? [];
      const form = forms.find((each) => actionOf(each, from?.url ?? "") === url);
      if (form === undefined) return await follow(url);
      return await follow(url, post(fieldsOf(form)));
    },
  };
}

export type Visitor = ReturnType<typeof createVisitor>;

function actionOf(form: string, base: string): string {
  return new URL(unescape(/ action=["']([^"']*)/.exec(form)?.[1] ?? ""), base).href;
}

function fieldsOf(form: string): Record<string, string> {
  const inputs = [...form.matchAll(/<input\b[^>]*>/gi)].map(([tag]) =>
    [
      / name=["']?([^"' >]*)/i.exec(tag)?.[1],
      / value=["']([^"']*)/i.exec(tag)?.[1] ?? "",
    ] as const
  );
  return Object.fromEntries(
    inputs.flatMap(([name, value]) => name === undefined ? [] : [[name, unescape(value)]]),
  );
}

function unescape(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&#x27;", "'")
    .replaceAll("&#x3D;", "=").replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function post(fields: Record<string, string>): RequestInit {
  return {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  };
}

/** Describes a page in one line. */
export function describePage({ url, status, html }: VisitedPage): string {
  return `${status} ${url.split("?", 1)[0]}: ${textOf(html).slice(0, 120)}`;
}
