import type { OutboundFetch, UnsentRequest } from "../../../server/http/outbound_fetch.ts";
import { readStream } from "../../../server/util/bytes/read_stream.ts";
import { explainFailure } from "../../../server/util/text/explain_failure.ts";
import { withTimeout } from "../../../server/util/time/promises.ts";
import {
  type CookieChange,
  type Cookies,
  createCookies,
  type StoredCookie,
} from "../../browser/stored_cookies.ts";
import { refreshTarget } from "../../util/html_forms.ts";
import { LabError } from "../../util/lab_error.ts";
import { navigation } from "../../util/navigation.ts";
import { checkDrillUrl, type DrillAccess, withoutQuery } from "../verdicts/drill_access.ts";

const maxRedirects = 20;
const maxBytes = 1024 * 1024;
const defaultTimeout = 10_000;

/** The application behind a browser, and the lab to which it sends users. */
export interface ApplicationTarget extends DrillAccess {
  fetch: OutboundFetch;
  /** Returns the time, for the expiry of cookies. */
  now(): number;
  /** The longest time for one response, in milliseconds. */
  timeout?: number;
  onResponse?(response: VisitedResponse): void;
  /** Called if a response does not arrive, or not in time. */
  onFailure?(): void;
}

/** Thrown if no response of the application arrives in time. */
export class NoResponseError extends LabError {}

/** Thrown if none arrives at all. */
export class UnreachableError extends NoResponseError {}

/** Returns the error of an application that did not respond, if that is what ended a step. */
export function noResponseIn(cause: unknown): NoResponseError | undefined {
  const causes = cause instanceof LabError ? [cause, cause.cause] : [];
  return causes.find((each) => each instanceof NoResponseError);
}

/** A response of the application, with the URL that it leads to. */
export interface VisitedResponse extends WebPage {
  url: string;
  next?: string | undefined;
}

/** Where a browser is after a request and all redirects. */
export interface ApplicationPage extends WebPage {
  /** The URL of the last request. */
  url: string;
  /** The status of the first response, before redirects. */
  firstStatus: number;
  /** The URL of the lab to which the last response redirects. */
  labUrl?: string | undefined;
  /** The URL to which it redirects, of an origin that the drill does not visit. */
  outsideUrl?: string | undefined;
  /** The URLs on the way to the page, the first one first. */
  way: readonly string[];
}

export type SentFields = ReadonlyArray<readonly [name: string, value: string]>;

/** A browser without a screen for one application: it keeps cookies and follows redirects. */
export interface ApplicationBrowser {
  isLab(url: string): boolean;
  open(url: string, from?: string): Promise<ApplicationPage>;
  /** Sends a form by POST. */
  send(url: string, fields: SentFields, from?: string): Promise<ApplicationPage>;
  /** Returns another browser with the same cookies, or with what a function makes of them. */
  copy(change?: CookieChange): ApplicationBrowser;
  cookies(): StoredCookie[];
}

interface ApplicationRequest extends Pick<UnsentRequest, "method" | "body"> {
  url: string;
  from?: string | undefined;
}

/** Creates a browser that sends requests to the application alone. */
export function createApplicationBrowser(
  target: ApplicationTarget,
  cookies: Cookies = createCookies(target.now),
): ApplicationBrowser {
  async function send({ url, method, body, from }: ApplicationRequest): Promise<WebPage> {
    checkDrillUrl(target, url, "application");
    const cookie = cookies.headerFor(url, { method, from });
    const page = await load(target, url, {
      method,
      ...body !== undefined && { body },
      headers: {
        Accept: "text/html,application/xhtml+xml,*/*;q=0.8",
        ...navigation,
        ...cookie !== undefined && { Cookie: cookie },
        ...body !== undefined && { "Content-Type": "application/x-www-form-urlencoded" },
      },
    });
    cookies.store(url, page.headers);
    return page;
  }

  async function follow(first: ApplicationRequest): Promise<ApplicationPage> {
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
      const shown = { ...page, url, firstStatus, way };
      if (next === undefined) return shown;
      if (target.isLab(next)) return { ...shown, labUrl: next.href };
      if (!target.isAllowed(next)) return { ...shown, outsideUrl: next.href };
      request = keepsMethod(page.status)
        ? { ...request, url: next.href }
        : { ...get(next.href), from };
    }
    throw new LabError(`${first.url} redirects more than ${maxRedirects} times.`);
  }

  return {
    copy: (change) => createApplicationBrowser(target, cookies.copy(change)),
    cookies: cookies.all,
    isLab: (url) => target.isLab(new URL(url)),
    open: (url, from) => follow({ ...get(url), from }),
    send: (url, fields, from) =>
      follow({
        url,
        from,
        method: "POST",
        body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
      }),
  };
}

interface WebPage {
  /** The status of the last response. */
  status: number;
  /** The headers of the last response. */
  headers: Headers;
  html: string;
}

async function load(
  { fetch, timeout = defaultTimeout, onFailure }: ApplicationTarget,
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
  const late = () =>
    new NoResponseError(`${withoutQuery(url)} did not respond within ${timeout / 1000} seconds.`);
  try {
    return await withTimeout(timeout, read(), late);
  } catch (cause) {
    onFailure?.();
    if (cause instanceof LabError) throw cause;
    throw new UnreachableError(
      `${withoutQuery(url)} cannot be reached: ${explainFailure(cause)}.`,
    );
  } finally {
    controller.abort();
  }
}

/** Returns where a response leads a browser by itself: by its status, or by what its page says. */
function nextOf({ status, headers, html }: WebPage, url: string): URL | undefined {
  const isRedirect = status >= 300 && status < 400;
  const location = isRedirect
    ? headers.get("Location")
    : refreshTarget(headers.get("Refresh") ?? undefined, html);
  return location && URL.canParse(location, url) ? new URL(location, url) : undefined;
}

function get(url: string): ApplicationRequest {
  return { url, method: "GET" };
}

/** Whether a redirect repeats the method and the body (RFC 9110, sections 15.4.8 and 15.4.9). */
function keepsMethod(status: number): boolean {
  return status === 307 || status === 308;
}
