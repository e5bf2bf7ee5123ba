const plausibleHost = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** The path that a request asks for; none where it cannot be routed. Some have no URL, and on Deno some hosts move the path. */
export function pathOf(request: Request): string | undefined {
  const host = request.headers.get("Host");
  return host === null || plausibleHost.test(host) ? URL.parse(request.url)?.pathname : undefined;
}
