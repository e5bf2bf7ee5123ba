import { createDeferred, withTimeout } from "../../../../server/util/time/promises.ts";
import { fulfillRoute, refreshTo, toRequest } from "../../../browser/playwright.ts";
import {
  type CookieChange,
  createCookies,
  type StoredCookie,
} from "../../../browser/stored_cookies.ts";
import { LabError } from "../../../util/lab_error.ts";
import { checkDrillUrl, withoutQuery } from "../../verdicts/drill_access.ts";
import {
  type ApplicationTarget,
  createApplicationBrowser,
  loadPage,
  nextOf,
  stopsScripts,
} from "../application_browser.ts";
import type { DrillBrowser, DrillPage, SentFields } from "../drill_browser.ts";
import { hasValue, resourcesIn } from "../foreign_html.ts";
import { readTags } from "../html_tags.ts";
import {
  leadingPage,
  type PageSnapshot,
  pressed,
  shownPage,
  untilStill,
  withSession,
} from "./page_expressions.ts";
import type {
  PassingRoute,
  PlaywrightBrowser,
  PlaywrightContext,
  PlaywrightCookie,
  PlaywrightPage,
  PlaywrightState,
} from "./playwright_types.ts";

/** The real browser of a drill, and what it needs of the lab. */
export interface RealBrowser {
  browser: PlaywrightBrowser;
  /** Sends a request to the lab, which may have no port. */
  fetch(request: Request): Promise<Response>;
  /** The hosts that may be reached, besides this machine. */
  hosts: readonly string[];
  /** Called with each origin to which no request is sent. */
  onForeign(origin: string): void;
}

/** What a browser begins with. */
interface FirstState {
  state: PlaywrightState;
  session: PageSnapshot["session"];
  origin: string | undefined;
}

/** What happened since the drill did something in a tab. */
interface SeenWay {
  way: string[];
  statuses: number[];
  headers: Headers;
  labUrl?: string;
  outsideUrl?: string;
  problem?: LabError;
}

/** No proxy listens here: what passes no route does not leave this machine either. */
const deadProxy = "http://127.0.0.1:1";

/** The names that Playwright sends without a proxy. */
const loopback = ["localhost", "*.localhost", "127.0.0.1", "[::1]"];

/** Creates a browser that runs scripts: a context of Playwright with one tab. */
export function createPlaywrightBrowser(
  target: ApplicationTarget,
  real: RealBrowser,
  first?: Promise<FirstState>,
): DrillBrowser {
  const lab = target.openLab();
  const copies: DrillBrowser[] = [];
  /** Pages of the lab that lead to the application, by their URLs. */
  const served = new Map<string, string>();
  const traffic = watchTraffic();
  let opened: Promise<{ context: PlaywrightContext; page: PlaywrightPage }> | undefined;
  let session: PageSnapshot["session"] = [];
  let origin: string | undefined;
  let seen: SeenWay = newWay();
  /** Settles when nothing reads the state. */
  let idle: Promise<unknown> = Promise.resolve();

  const open = () => opened ??= openTab();

  async function openTab() {
    const begin = await first;
    const context = await real.browser.newContext({
      serviceWorkers: "block",
      proxy: { server: deadProxy, bypass: [...loopback, ...real.hosts].join(",") },
      ...begin && { storageState: begin.state },
    });
    traffic.watch(context);
    const page = await context.newPage();
    await context.route(() => true, (route) => handle(route, page).catch(() => route.abort()));
    if (begin?.origin !== undefined && begin.session.length > 0) {
      served.set(`${begin.origin}/`, "<!doctype html>");
      await page.goto(`${begin.origin}/`, { waitUntil: "commit", timeout: limit() });
      served.clear();
      await page.evaluate(withSession(begin.session));
      ({ session, origin } = begin);
    }
    return { context, page };
  }

  async function handle(route: PassingRoute, page: PlaywrightPage): Promise<void> {
    const request = route.request();
    const url = new URL(request.url());
    const isNavigation = request.isNavigationRequest();
    const isDrilled = isNavigation && request.frame() === page.mainFrame();
    const html = served.get(url.href);
    if (isDrilled && html !== undefined) {
      return await route.fulfill({
        status: 200,
        headers: { "content-type": "text/html" },
        body: html,
      });
    }
    if (isDrilled && target.isLab(url)) return await leaveTo({ labUrl: url.href });
    // Frames and windows go to the lab for real.
    if (target.isLab(url)) return await fulfillRoute(route, real.fetch);
    if (target.isAllowed(url)) {
      return isDrilled ? await visit(route) : await route.continue();
    }
    if (isDrilled) return await leaveTo({ outsideUrl: url.href });
    real.onForeign(url.origin);
    const headers = { "access-control-allow-origin": "*" };
    return await route.fulfill({ status: 200, headers, body: "" });

    async function leaveTo(end: Pick<SeenWay, "labUrl" | "outsideUrl">): Promise<void> {
      Object.assign(seen, end);
      await route.abort("aborted");
      traffic.change();
    }
  }

  /** Loads a document of the tab: a redirect is a new request, which has this route as well. */
  async function visit(route: PassingRoute): Promise<void> {
    const { url, method: sentMethod, headers, body } = await toRequest(route.request());
    // The runtime sends these itself.
    for (const name of ["accept-encoding", "connection", "content-length", "host"]) {
      headers.delete(name);
    }
    const sent = body ? await new Response(body).text() : undefined;
    const method = sentMethod === "POST" ? "POST" : "GET";
    const init = { method, headers: Object.fromEntries(headers) } as const;
    seen.way.push(url);
    const page = await loadPage(target, url, { ...init, ...sent !== undefined && { body: sent } })
      .catch((cause) => {
        if (!(cause instanceof LabError)) throw cause;
        seen.problem = cause;
      });
    if (!page) return await route.abort("aborted");
    seen.statuses.push(page.status);
    seen.headers = page.headers;
    const next = nextOf(page, url);
    target.onResponse?.({ ...page, url, next: next?.href });
    const isRedirect = next !== undefined && page.status >= 300 && page.status < 400;
    const shown = isRedirect
      ? refreshTo(next.href)
      : { status: page.status, headers: shownHeaders(page.headers) };
    const cookies = page.headers.getSetCookie().join("\n");
    await route.fulfill({
      ...shown,
      headers: { ...shown.headers, ...cookies && { "set-cookie": cookies } },
      body: isRedirect ? "" : page.html,
    });
  }

  const limit = () => target.times?.limit() ?? 30_000;

  /** Does something in the tab, and looks where that ends. */
  async function settle(act: (page: PlaywrightPage) => Promise<unknown>): Promise<DrillPage> {
    await idle;
    const { page } = await open();
    seen = newWay();
    // A navigation that leads on fails.
    await act(page).catch((cause) => {
      if (cause instanceof LabError) throw cause;
    });
    await untilQuiet(page);
    const { way, statuses, headers, labUrl, outsideUrl, problem } = seen;
    if (problem) throw problem;
    const shown = await read(page);
    if (shown.session.length > 0 || origin === originOf(page.url())) session = shown.session;
    if (/^https?:/.test(page.url())) origin = originOf(page.url());
    const isLed = labUrl !== undefined || outsideUrl !== undefined;
    const url = (isLed ? way.at(-1) : undefined) ?? page.url();
    const status = statuses.at(-1) ?? 200;
    target.onResponse?.({ url, html: shown.html, status, headers, next: labUrl ?? outsideUrl });
    return toPage({ url, labUrl, outsideUrl, status, way: way.length > 0 ? way : [url] }, shown);
  }

  function toPage(
    where: Pick<DrillPage, "url" | "labUrl" | "outsideUrl" | "status" | "way">,
    { html, text, controls }: PageSnapshot,
  ): DrillPage {
    const { statuses, headers } = seen;
    const at = where.url;
    const isOwn = (url: URL) => url.origin === originOf(at) || target.isLab(url);
    const words = () => text.split(/[^\p{L}\p{N}@._-]+/u).filter(Boolean);
    return {
      ...where,
      firstStatus: statuses[0] ?? 200,
      headers,
      referrerPolicy: headers.get("Referrer-Policy") ?? undefined,
      stopsScripts: stopsScripts(headers),
      lacksScripts: false,
      controls: () =>
        controls.filter(({ url }) => isOwn(new URL(url))).map((control) => ({
          text: control.text,
          method: control.method === "GET" ? "GET" : "POST",
          url: control.url,
          fields: [],
          press: () => settle((page) => press(page, at, control)),
        })),
      words,
      pieces: () => new Set([...words(), ...controls.map(({ url }) => `href=${url}`)]),
      resources: () => resourcesIn(html, at),
      shows: (each) => text.includes(each) || hasValue(html, each),
      hasMarkup: (each) => readTags(html).some(({ name }) => `<${name}>` === each),
    };
  }

  /** Presses what a page showed; what was pressed before may have led away from it. */
  async function press(
    page: PlaywrightPage,
    url: string,
    { at, text }: PageSnapshot["controls"][number],
  ): Promise<void> {
    if (page.url() === url && await page.evaluate(pressed(at, text))) return;
    await page.goto(url, { waitUntil: "commit", timeout: limit() });
    await untilQuiet(page);
    seen = newWay();
    if (await page.evaluate(pressed(at, text))) return;
    throw new LabError(`${withoutQuery(url)} shows '${text}' no more.`);
  }

  /** Waits until no request is open and the page is still, or leads away. */
  async function untilQuiet(page: PlaywrightPage): Promise<void> {
    const isLed = () => seen.labUrl ?? seen.outsideUrl ?? seen.problem;
    let isOver = false;
    const wait = async () => {
      while (isLed() === undefined && !isOver) {
        const before = traffic.count();
        // A navigation takes the document away in which this runs.
        await Promise.race([traffic.changed(), page.evaluate(untilStill).catch(() => {})]);
        if (traffic.openRequests() === 0 && traffic.count() === before) return;
        if (traffic.openRequests() > 0) await traffic.changed();
      }
    };
    // A page that always asks for something is looked at as it is.
    await withTimeout(limit(), wait(), () => new LabError("late")).catch(() => {});
    isOver = true;
  }

  async function lead(url: string, from: string | undefined, fields?: SentFields) {
    checkDrillUrl(target, url, "application");
    const via = from ?? (fields && new URL("/", url).href);
    return await settle(async (page) => {
      if (via !== undefined) served.set(via, leadingPage(url, fields));
      await page.goto(via ?? url, { waitUntil: "commit", timeout: limit() });
      if (via !== undefined) await traffic.reached(() => seen.way.length > 0, limit());
      served.clear();
    });
  }

  async function stateNow(change?: CookieChange): Promise<FirstState> {
    const { context } = await open();
    const state = await context.storageState({ indexedDB: true });
    return { state: change ? changeCookies(state, change) : state, session, origin };
  }

  async function storedCookies(): Promise<StoredCookie[]> {
    const { context } = await open();
    return (await context.storageState({ indexedDB: false })).cookies.map(toStored);
  }

  const copy: DrillBrowser["copy"] = (change) => {
    const state = stateNow(change);
    idle = Promise.allSettled([idle, state]);
    const made = createPlaywrightBrowser(target, real, state);
    copies.push(made);
    return made;
  };

  return {
    isLab: (url) => target.isLab(new URL(url)),
    open: (url, from) => lead(url, from),
    send: (url, fields, from) => lead(url, from, fields),
    // A request that is not sent by a page needs none.
    request: async (url, headers) =>
      await createApplicationBrowser(target, createCookies(target.now, await storedCookies()))
        .request(url, headers),
    authorize: lab.authorize,
    signOut: lab.signOut,
    copy,
    cookies: storedCookies,
    async close() {
      await Promise.all(copies.map((each) => each.close()));
      await idle;
      await (await opened)?.context.close();
      opened = undefined;
    },
  };
}

function newWay(): SeenWay {
  return { way: [], statuses: [], headers: new Headers() };
}

/** Reads a page, once more where it was about to change. */
async function read(page: PlaywrightPage): Promise<PageSnapshot> {
  const look = () => page.evaluate(shownPage) as Promise<PageSnapshot>;
  return await look().catch(look);
}

/** Counts the requests of a context that are open. */
function watchTraffic() {
  const open = new Set<object>();
  let count = 0;
  let next = createDeferred<void>();
  const change = () => {
    count++;
    next.resolve();
    next = createDeferred<void>();
  };
  return {
    watch(context: PlaywrightContext): void {
      context.on("request", (request) => {
        // It never ends.
        if (request.resourceType() !== "eventsource") open.add(request);
        change();
      });
      for (const event of ["requestfinished", "requestfailed"] as const) {
        context.on(event, (request) => {
          open.delete(request);
          change();
        });
      }
    },
    change,
    count: () => count,
    openRequests: () => open.size,
    changed: () => next.promise,
    /** Waits until something has happened. */
    async reached(isReached: () => boolean, milliseconds: number): Promise<void> {
      const wait = async () => {
        while (!isReached()) await next.promise;
      };
      await withTimeout(milliseconds, wait(), () => new LabError("late")).catch(() => {});
    },
  };
}

/** Returns the headers of a document that is sent to the browser as text. */
function shownHeaders(headers: Headers): Record<string, string> {
  const type = headers.get("Content-Type") ?? "text/html";
  const sent = ["content-encoding", "content-length", "transfer-encoding", "set-cookie"];
  const kept = [...headers].filter(([name]) => !sent.includes(name.toLowerCase()));
  return { ...Object.fromEntries(kept), "content-type": `${type.split(";")[0]}; charset=utf-8` };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
}

function toStored(cookie: PlaywrightCookie): StoredCookie {
  return {
    name: cookie.name,
    value: cookie.value,
    host: cookie.domain.replace(/^\./, ""),
    isForDomain: cookie.domain.startsWith("."),
    path: cookie.path,
    isSecure: cookie.secure,
    isHttpOnly: cookie.httpOnly,
    sameSite: ({ Strict: "strict", Lax: "lax", None: "none" } as const)[cookie.sameSite],
    setAt: 0,
    expiresAt: cookie.expires < 0 ? Infinity : cookie.expires * 1000,
  };
}

/** Changes the cookies of a state. */
function changeCookies(state: PlaywrightState, change: CookieChange): PlaywrightState {
  const cookies = state.cookies.flatMap((cookie) => {
    const changed = change(toStored(cookie));
    return changed ? [{ ...cookie, name: changed.name, value: changed.value }] : [];
  });
  return { ...state, cookies };
}
