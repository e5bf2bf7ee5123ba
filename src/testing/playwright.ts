/** What of a route of Playwright's is needed. */
export interface PlaywrightRoute {
  request(): {
    url(): string;
    method(): string;
    allHeaders(): Promise<Record<string, string>>;
    postDataBuffer(): Uint8Array | null;
  };
  fulfill(answer: { status: number; headers: Record<string, string>; body: string }): Promise<void>;
}

/** Answers what a page asks of the issuer, without a port. */
export async function answerRoute(route: PlaywrightRoute, fetch: (request: Request) => Promise<Response>): Promise<void> {
  const request = route.request();
  const body = request.postDataBuffer();
  // Headers of HTTP/2 begin with a colon, and are none.
  const headers = Object.entries(await request.allHeaders()).filter(([name]) => !name.startsWith(":"));
  const response = await fetch(new Request(request.url(), { method: request.method(), headers, body: body && new Uint8Array(body) }));
  const cookies = response.headers.getSetCookie().join("\n");
  await route.fulfill({
    status: response.status,
    headers: { ...Object.fromEntries(response.headers), ...cookies && { "set-cookie": cookies } },
    body: await response.text(),
  });
}
