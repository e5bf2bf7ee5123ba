/** The part of a page, or of a browser context, of Playwright that a lab needs. */
export interface RoutedPage {
  /** Calls back for each request whose URL fits. */
  route(
    fits: (url: URL) => boolean,
    handle: (route: PlaywrightRoute) => Promise<void>,
  ): Promise<unknown>;
}

/** The parts of a route of Playwright that a lab needs. */
export interface PlaywrightRoute {
  /** Returns the request of the page. */
  request(): PlaywrightRequest;
  /** Sends a response to the page. */
  fulfill(response: PlaywrightResponse): Promise<void>;
  /** Fails the request. */
  abort(): Promise<void>;
}

/** A request of a page. */
export interface PlaywrightRequest {
  /** Returns the URL. */
  url(): string;
  /** Returns the HTTP method. */
  method(): string;
  /** Returns whether the page navigates. */
  isNavigationRequest(): boolean;
  /** Returns the headers, those of cookies included. */
  allHeaders(): Promise<Record<string, string>>;
  /** Returns the body. */
  postDataBuffer(): Uint8Array | null;
}

/** A response to a page. */
export interface PlaywrightResponse {
  /** The HTTP status. */
  status: number;
  /** The headers. */
  headers: Record<string, string>;
  /** The body. */
  body: string;
}

/** Responds to a request of a page, without a port. */
export async function fulfillRoute(
  route: PlaywrightRoute,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const request = route.request();
  const response = await fetch(await toRequest(request)).catch(() => undefined);
  if (!response) return await route.abort();
  const location = response.headers.get("Location");
  const { status, headers } = location !== null && request.isNavigationRequest()
    ? refreshTo(new URL(location, request.url()).href)
    : { status: response.status, headers: Object.fromEntries(response.headers) };
  const cookies = response.headers.getSetCookie().join("\n");
  await route.fulfill({
    status,
    headers: { ...headers, ...cookies && { "set-cookie": cookies } },
    body: await response.text(),
  });
}

/** Returns a request of a page as the platform has them. */
export async function toRequest(request: PlaywrightRequest): Promise<Request> {
  const body = request.postDataBuffer();
  // Pseudo-headers of HTTP/2 begin with a colon.
  const headers = Object.entries(await request.allHeaders())
    .filter(([name]) => !name.startsWith(":"));
  return new Request(request.url(), {
    method: request.method(),
    headers,
    body: body && new Uint8Array(body),
  });
}

/**
 * Replaces a redirect, which Playwright would follow on the network without asking the route, by a
 * page that navigates: that is a new request.
 */
export function refreshTo(url: string): Omit<PlaywrightResponse, "body"> {
  return {
    status: 200,
    headers: {
      "content-type": "text/html",
      "cache-control": "no-store",
      "refresh": `0; url=${url}`,
    },
  };
}
