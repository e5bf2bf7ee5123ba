import type { OutboundFetch, UnsentRequest } from "../../../server/http/outbound_fetch.ts";
import { readStream } from "../../../server/util/bytes/read_stream.ts";
import { explainFailure } from "../../../server/util/text/explain_failure.ts";
import { withTimeout } from "../../../server/util/time/promises.ts";
import { type Cookies, createCookies } from "../../browser/stored_cookies.ts";
import { LabError } from "../../util/lab_error.ts";
import { navigation } from "../../util/navigation.ts";
import { checkDrillUrl, type DrillAccess, withoutQuery } from "./drill_access.ts";

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
}

/** Thrown if no response of the application arrives at all. */
export class UnreachableError extends LabError {}

/** Where a browser is after a request and all redirects. */
export interface ApplicationPage {
  /** The URL of the last request. */
  url: string;
  /** The status of the first response, before redirects. */
  firstStatus: number;
  /** The status of the last response. */
  status: number;
  /** The headers of the last response. */
  headers: Headers;
  /** The URL of the lab to which the last response redirects. */
  labUrl?: string | undefined;
  html: string;
}

/** A browser without a screen for one application: it keeps cookies and follows redirects. */
export interface ApplicationBrowser {
  /** Whether a URL belongs to the lab. */
  isLab(url: string): boolean;
  open(url: string): Promise<ApplicationPage>;
  /** Sends a form by POST. */
  send(url: string, fields: ReadonlyArray<readonly [string, string]>): Promise<ApplicationPage>;
  /** Returns another browser with the same cookies, or with those of some names. */
  copy(isKept?: (name: string) => boolean): ApplicationBrowser;
  /** Returns the names of its cookies. */
  cookieNames(): string[];
}

type ApplicationRequest = Pick<UnsentRequest, "method" | "body"> & { url: string };

/** Creates a browser that sends requests to the application alone. */
export function createApplicationBrowser(
  target: ApplicationTarget,
  cookies: Cookies = createCookies(target.now),
): ApplicationBrowser {
  async function send({ url, method, body }: ApplicationRequest): Promise<WebPage> {
    checkDrillUrl(target, url, "application");
    const cookie = cookies.headerFor(url);
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
    for (let count = 0; count <= maxRedirects; count++) {
      const page = await send(request);
      const { url } = request;
      const { status, headers, html } = page;
      firstStatus ??= status;
      const next = redirectOf(page, url);
      const shown = { url, firstStatus, status, headers, html };
      if (next === undefined) return shown;
      if (target.isLab(next)) return { ...shown, labUrl: next.href };
      request = keepsMethod(status) ? { ...request, url: next.href } : get(next.href);
    }
    throw new LabError(`${first.url} redirects more than ${maxRedirects} times.`);
  }

  return {
    copy: (isKept) => createApplicationBrowser(target, cookies.copy(isKept)),
    cookieNames: cookies.names,
    isLab: (url) => target.isLab(new URL(url)),
    open: (url) => follow(get(url)),
    send: (url, fields) =>
      follow({
        url,
        method: "POST",
        body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
      }),
  };
}

interface WebPage {
  status: number;
  headers: Headers;
  html: string;
}

async function load(
  { fetch, timeout = defaultTimeout }: ApplicationTarget,
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
    new LabError(`${withoutQuery(url)} did not respond within ${timeout / 1000} seconds.`);
  try {
    return await withTimeout(timeout, read(), late);
  } catch (cause) {
    if (cause instanceof LabError) throw cause;
    throw new UnreachableError(
      `${withoutQuery(url)} cannot be reached: ${explainFailure(cause)}.`,
    );
  } finally {
    controller.abort();
  }
}

function redirectOf({ status, headers }: WebPage, url: string): URL | undefined {
  const location = headers.get("Location");
  if (status < 300 || status >= 400 || location === null) return undefined;
  return URL.canParse(location, url) ? new URL(location, url) : undefined;
}

function get(url: string): ApplicationRequest {
  return { url, method: "GET" };
}

/** Whether a redirect repeats the method and the body (RFC 9110, sections 15.4.8 and 15.4.9). */
function keepsMethod(status: number): boolean {
  return status === 307 || status === 308;
}
