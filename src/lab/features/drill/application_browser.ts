import type { OutboundFetch, UnsentRequest } from "../../../server/http/outbound_fetch.ts";
import { readStream } from "../../../server/util/bytes/read_stream.ts";
import { explainFailure } from "../../../server/util/text/explain_failure.ts";
import { withTimeout } from "../../../server/util/time/promises.ts";
import type { HeadlessBrowser } from "../../browser/headless_browser.ts";
import { type Cookies, createCookies } from "../../browser/stored_cookies.ts";
import { LabError } from "../../util/lab_error.ts";
import { navigation } from "../../util/navigation.ts";
import { checkDrillUrl, type DrillAccess, withoutQuery } from "../verdicts/drill_access.ts";
import { createResponseTimes, type ResponseTimes } from "../verdicts/response_times.ts";
import type { DrillBrowser, DrillControl, DrillPage } from "./drill_browser.ts";
import {
  buttonsIn,
  hasValue,
  isFilledByScripts,
  linksIn,
  metaContent,
  type PageControl,
  readableText,
  refreshTarget,
  resourcesIn,
} from "./foreign_html.ts";
import { NoResponseError, UnreachableError } from "./no_response.ts";

const maxRedirects = 20;
const maxBytes = 1024 * 1024;

/** The application behind a browser, and the lab to which it sends users. */
export interface ApplicationTarget extends DrillAccess {
  fetch: OutboundFetch;
  /** Opens a browser that nobody has used at the lab. */
  openLab(): Pick<HeadlessBrowser, "authorize" | "signOut">;
  /** Returns the time, for the expiry of cookies. */
  now(): number;
  times?: Pick<ResponseTimes, "add" | "limit">;
  onResponse?(response: VisitedResponse): void;
  /** Called if a response does not arrive, or not in time. */
  onFailure?(): void;
}

/** A response of the application, with the URL that it leads to. */
export interface VisitedResponse extends WebPage {
  url: string;
  next?: string | undefined;
}

interface ApplicationRequest extends Pick<UnsentRequest, "method" | "body"> {
  url: string;
  headers?: Readonly<Record<string, string>>;
  from?: string | undefined;
}

/** Creates a browser without a screen: it keeps cookies, and follows redirects of the application. */
export function createApplicationBrowser(
  target: ApplicationTarget,
  cookies: Cookies = createCookies(target.now),
): DrillBrowser {
  const lab = target.openLab();

  async function send({ url, method, body, from, headers }: ApplicationRequest): Promise<WebPage> {
    checkDrillUrl(target, url, "application");
    const cookie = cookies.headerFor(url, { method, from });
    const page = await loadPage(target, url, {
      method,
      ...body !== undefined && { body },
      headers: {
        Accept: "text/html,application/xhtml+xml,*/*;q=0.8",
        ...navigation,
        ...cookie !== undefined && { Cookie: cookie },
        ...body !== undefined && { "Content-Type": "application/x-www-form-urlencoded" },
        ...headers,
      },
    });
    cookies.store(url, page.headers);
    return page;
  }

  async function follow(first: ApplicationRequest, isAlone = false): Promise<DrillPage> {
    let request = first;
    let firstStatus: number | undefined;
    const way: string[] = [];
    for (let count = 0; count <= maxRedirects; count++) {
      const page = await send(request);
      const { url, from } = request;
      firstStatus ??= page.status;
      way.push(url);
      const next = nextOf(page, url);
      target.onResponse?.({ ...page, url, next: next?.href });
      const shown = { ...toPage(page, url), status: page.status, firstStatus, way };
      if (next === undefined) return shown;
      if (target.isLab(next)) return { ...shown, labUrl: next.href };
      if (!target.isAllowed(next)) return { ...shown, outsideUrl: next.href };
      if (isAlone) return shown;
      request = keepsMethod(page.status)
        ? { ...request, url: next.href }
        : { ...get(next.href), from };
    }
    throw new LabError(`${first.url} redirects more than ${maxRedirects} times.`);
  }

  const open: DrillBrowser["open"] = (url, from) => follow({ ...get(url), from });
  const post: DrillBrowser["send"] = (url, fields, from) => {
    const body = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();
    return follow({ url, from, method: "POST", body });
  };

  function toPage({ html, headers }: WebPage, url: string) {
    const links = linksIn(html, url)
      .map(({ href, text }): PageControl => ({ text, method: "GET", url: href, fields: [] }));
    const isOwn = ({ origin }: URL) => origin === new URL(url).origin;
    const all = () =>
      [...buttonsIn(html, url), ...links].map((control): DrillControl => ({
        ...control,
        press: () =>
          control.method === "POST"
            ? post(control.url, control.fields, url)
            : open(control.url, url),
      }));
    const words = () => readableText(html).split(/[^\p{L}\p{N}@._-]+/u).filter(Boolean);
    const isHtml = headers.get("Content-Type")?.includes("html") ?? true;
    return {
      url,
      headers,
      referrerPolicy: headers.get("Referrer-Policy") ?? metaContent(html, "referrer"),
      stopsScripts: stopsScripts(headers),
      lacksScripts: isHtml && isFilledByScripts(html),
      controls: () =>
        all().filter((each) => isOwn(new URL(each.url)) || target.isLab(new URL(each.url))),
      words,
      pieces: () => new Set([...words(), ...all().map((control) => `href=${control.url}`)]),
      resources: () => resourcesIn(html, url),
      shows: (text: string) => hasValue(html, text),
      hasMarkup: (text: string) => isHtml && html.includes(text),
    };
  }

  return {
    copy: (change) => createApplicationBrowser(target, cookies.copy(change)),
    cookies: async () => cookies.all(),
    close: async () => {},
    isLab: (url) => target.isLab(new URL(url)),
    open,
    send: post,
    request: (url, headers = {}) => follow({ ...get(url), headers }, true),
    authorize: lab.authorize,
    signOut: lab.signOut,
  };
}

export interface WebPage {
  /** The status of the last response. */
  status: number;
  /** The headers of the last response. */
  headers: Headers;
  html: string;
}

/** Sends one request to the application, and reads the page that it responds with. */
export async function loadPage(
  { fetch, times = createResponseTimes(), onFailure }: ApplicationTarget,
  url: string,
  request: UnsentRequest,
): Promise<WebPage> {
  const controller = new AbortController();
  const init = { ...request, redirect: "manual", signal: controller.signal } as const;
  const read = async (): Promise<WebPage> => {
    const { status, headers, body } = await fetch(url, init);
    const tooLarge = () => new LabError(`The page at ${withoutQuery(url)} is larger than 1 MB.`);
    return { status, headers, html: await readStream(body, maxBytes, tooLarge) };
  };
  const timeout = times.limit();
  const start = performance.now();
  const late = () =>
    new NoResponseError(`${withoutQuery(url)} did not respond within ${timeout / 1000} seconds.`);
  try {
    const page = await withTimeout(timeout, read(), late);
    times.add(performance.now() - start);
    return page;
  } catch (cause) {
    controller.abort();
    onFailure?.();
    if (cause instanceof LabError) throw cause;
    throw new UnreachableError(
      `${withoutQuery(url)} cannot be reached: ${explainFailure(cause)}.`,
    );
  }
}

/** Returns where a response leads a browser by itself: by its status, or by what its page says. */
export function nextOf({ status, headers, html }: WebPage, url: string): URL | undefined {
  const isRedirect = status >= 300 && status < 400;
  const location = isRedirect
    ? headers.get("Location")
    : refreshTarget(headers.get("Refresh") ?? undefined, html);
  return location && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

/** Whether the policy of a page stops scripts in it (Content Security Policy, section 6.1). */
export function stopsScripts(headers: Headers): boolean {
  const policy = headers.get("Content-Security-Policy")?.toLowerCase() ?? "";
  const scripts = /script-src(?:-elem)? ([^;,]*)/.exec(policy) ??
    /default-src ([^;,]*)/.exec(policy);
  return scripts !== null && !scripts[1]?.includes("'unsafe-inline'");
}

function get(url: string): ApplicationRequest {
  return { url, method: "GET" };
}

/** Whether a redirect repeats the method and the body (RFC 9110, sections 15.4.8 and 15.4.9). */
function keepsMethod(status: number): boolean {
  return status === 307 || status === 308;
}
