import {
  type CookieChange,
  createCookies,
  type StoredCookie,
} from "../../../browser/stored_cookies.ts";
import { checkDrillUrl } from "../../verdicts/drill_access.ts";
import { type ApplicationTarget, createApplicationBrowser } from "../application_browser.ts";
import type { DrillBrowser, SentFields } from "../drill_browser.ts";
import { leadingPage, type PageSnapshot, withSession } from "./page_expressions.ts";
import type {
  PlaywrightBrowser,
  PlaywrightContext,
  PlaywrightCookie,
  PlaywrightPage,
  PlaywrightState,
} from "./playwright_types.ts";
import { createTabPages, originOf, tabLimit } from "./tab_pages.ts";
import { createTabTraffic } from "./tab_traffic.ts";

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
  const traffic = createTabTraffic(target, real);
  let opened: Promise<{ context: PlaywrightContext; page: PlaywrightPage }> | undefined;
  let session: PageSnapshot["session"] = [];
  let origin: string | undefined;
  /** Settles when nothing reads the state. */
  let idle: Promise<unknown> = Promise.resolve();

  const open = () => opened ??= openTab();
  const limit = () => tabLimit(target);
  const { settle } = createTabPages(target, {
    traffic,
    async open() {
      await idle;
      return (await open()).page;
    },
    onPage(url, kept) {
      if (kept.length > 0 || origin === originOf(url)) session = kept;
      if (/^https?:/.test(url)) origin = originOf(url);
    },
  });

  async function openTab() {
    const begin = await first;
    const context = await real.browser.newContext({
      serviceWorkers: "block",
      proxy: { server: deadProxy, bypass: [...loopback, ...real.hosts].join(",") },
      ...begin && { storageState: begin.state },
    });
    const page = await context.newPage();
    await traffic.watch(context, page);
    if (begin?.origin !== undefined && begin.session.length > 0) {
      traffic.served.set(`${begin.origin}/`, "<!doctype html>");
      await page.goto(`${begin.origin}/`, { waitUntil: "commit", timeout: limit() });
      traffic.served.clear();
      await page.evaluate(withSession(begin.session));
      ({ session, origin } = begin);
    }
    return { context, page };
  }

  async function lead(url: string, from: string | undefined, fields?: SentFields) {
    checkDrillUrl(target, url, "application");
    const via = from ?? (fields && new URL("/", url).href);
    return await settle(async (page) => {
      if (via !== undefined) traffic.served.set(via, leadingPage(url, fields));
      await page.goto(via ?? url, { waitUntil: "commit", timeout: limit() });
      if (via !== undefined) {
        await traffic.requests.reached(() => traffic.seen().way.length > 0, limit());
      }
      traffic.served.clear();
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
