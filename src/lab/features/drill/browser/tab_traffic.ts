import { createDeferred, withTimeout } from "../../../../server/util/time/promises.ts";
import { fulfillRoute, refreshTo, toRequest } from "../../../browser/playwright.ts";
import { LabError } from "../../../util/lab_error.ts";
import { type ApplicationTarget, loadPage, nextOf } from "../application_browser.ts";
import type {
  PassingRoute,
  PlaywrightContext,
  PlaywrightPage,
  PlaywrightTabRequest,
} from "./playwright_types.ts";

/** What happened since the drill did something in a tab. */
export interface SeenWay {
  way: string[];
  statuses: number[];
  headers: Headers;
  labUrl?: string;
  outsideUrl?: string;
  problem?: LabError;
}

export type TabTraffic = ReturnType<typeof createTabTraffic>;

/** Creates what every request of a tab, its frames and its windows passes. */
export function createTabTraffic(target: ApplicationTarget, real: {
  /** Sends a request to the lab, which may have no port. */
  fetch(request: Request): Promise<Response>;
  /** Called with each origin to which no request is sent. */
  onForeign(origin: string): void;
}) {
  /** Pages that lead the tab to the application, by their URLs. */
  const served = new Map<string, string>();
  const requests = watchRequests();
  let seen: SeenWay = newWay();

  async function handle(route: PassingRoute, page: PlaywrightPage): Promise<void> {
    const request = route.request();
    const url = new URL(request.url());
    const isDrilled = request.isNavigationRequest() && isOfTab(request, page);
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
      requests.change();
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

  return {
    served,
    /** Lets a context send its requests here, those of one tab as documents that are drilled. */
    async watch(context: PlaywrightContext, page: PlaywrightPage): Promise<void> {
      requests.watch(context);
      await context.route(() => true, (route) => handle(route, page).catch(() => route.abort()));
    },
    /** What happened since this was called. */
    seen: () => seen,
    begin: () => void (seen = newWay()),
    requests,
  };
}

/** Whether a tab sends a request. A window that it opens has no frame yet at its first request. */
function isOfTab(request: PlaywrightTabRequest, page: PlaywrightPage): boolean {
  try {
    return request.frame() === page.mainFrame();
  } catch {
    return false;
  }
}

function newWay(): SeenWay {
  return { way: [], statuses: [], headers: new Headers() };
}

/** Counts the requests of a context that are open. */
function watchRequests() {
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
    areOpen: () => open.size > 0,
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
