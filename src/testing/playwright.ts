/** What of a route of Playwright's is needed. */
export interface PlaywrightRoute {
  /** What the page asks for. */
  request(): {
    url(): string;
    method(): string;
    isNavigationRequest(): boolean;
    allHeaders(): Promise<Record<string, string>>;
    postDataBuffer(): Uint8Array | null;
  };
  /** Answers it. */
  fulfill(answer: { status: number; headers: Record<string, string>; body: string }): Promise<void>;
  /** Breaks it off. */
  abort(): Promise<void>;
}

/** Answers what a page asks of the issuer, without a port. */
export async function fulfillRoute(
  route: PlaywrightRoute,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const request = route.request();
  const body = request.postDataBuffer();
  // Headers of HTTP/2 begin with a colon, and are none.
  const sent = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(":"));
  const response = await fetch(
    new Request(request.url(), {
      method: request.method(),
      headers: sent,
      body: body && new Uint8Array(body),
    }),
  )
    .catch(() => undefined);
  if (!response) return await route.abort();
  const location = response.headers.get("Location");
  const { status, headers } = location !== null && request.isNavigationRequest()
    ? leadOn(new URL(location, request.url()).href)
    : { status: response.status, headers: Object.fromEntries(response.headers) };
  const cookies = response.headers.getSetCookie().join("\n");
  await route.fulfill({
    status,
    headers: { ...headers, ...cookies && { "set-cookie": cookies } },
    body: await response.text(),
  });
}

/** Where a redirect leads, Playwright's routes are not asked: it would go to the network. A page that goes on by itself is a new request. */
function leadOn(url: string): { status: number; headers: Record<string, string> } {
  return {
    status: 200,
    headers: {
      "content-type": "text/html",
      "cache-control": "no-store",
      "refresh": `0; url=${url}`,
    },
  };
}
