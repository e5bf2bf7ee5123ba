const plausibleHost = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Whether a request can be routed at all; `new URL` throws on some, and on Deno some move the path. */
export function isPlausible(request: Request): boolean {
  const host = request.headers.get("Host");
  return (host === null || plausibleHost.test(host)) && URL.canParse(request.url);
}
