import { basePath, pathWithinIssuer } from "../../server/protocol/issuer_url.ts";
import { parseUrl } from "../../server/util/addresses/uri.ts";
import { interceptNodeHttp } from "./node_http.ts";

type GlobalFetch = typeof globalThis.fetch;
type Respond = (request: Request) => Promise<Response>;

/** What is intercepted beside the global `fetch`. */
export interface InterceptOptions {
  /**
   * Whether requests of `node:http` and `node:https` are intercepted as well: `http.request`,
   * `https.get`, every agent, and the libraries above them.
   *
   * @default false
   */
  http?: boolean | undefined;
}

/** Requests of the global `fetch` for a lab go to the lab until this ends. */
export interface Interception {
  /** Ends the interception. The last one that ends restores the global `fetch` and `node:http`. */
  restore(): void;
  /** Ends the interception at the end of a `using` block. */
  [Symbol.dispose](): void;
}

interface Interceptor {
  baseUrls: readonly string[];
  respond: Respond;
  /** Whether requests of `node:http` are for it as well. */
  http: boolean;
}

/** The active interceptors. There can be several: parallel tests share one global `fetch`. */
const interceptors = new Set<Interceptor>();
let originalFetch: GlobalFetch = globalThis.fetch;
let restoreNodeHttp: (() => void) | undefined;

/**
 * Passes requests of the global `fetch` below these base URLs to `respond`. All other requests go
 * to the network.
 */
export function intercept(
  baseUrls: readonly string[],
  respond: Respond,
  { http = false }: InterceptOptions = {},
): Interception {
  const interceptor = { baseUrls, respond, http };
  // First of all: it throws where node:http cannot be replaced.
  if (http) restoreNodeHttp ??= interceptNodeHttp(findHttpResponder);
  if (interceptors.size === 0) {
    originalFetch = globalThis.fetch;
    globalThis.fetch = interceptedFetch;
  }
  interceptors.add(interceptor);
  const restore = () => remove(interceptor);
  return { restore, [Symbol.dispose]: restore };
}

function remove(interceptor: Interceptor): void {
  const wasActive = interceptors.delete(interceptor);
  if (![...interceptors].some(({ http }) => http)) {
    restoreNodeHttp?.();
    restoreNodeHttp = undefined;
  }
  if (!wasActive || interceptors.size > 0) return;
  // Another library may have replaced the global `fetch` meanwhile.
  if (globalThis.fetch === interceptedFetch) globalThis.fetch = originalFetch;
}

async function interceptedFetch(...[input, init]: Parameters<GlobalFetch>): Promise<Response> {
  const url = parseUrl(input instanceof Request ? input.url : String(input));
  const interceptor = url === undefined ? undefined : findInterceptor(url);
  if (!interceptor) return await originalFetch(input, init);
  return await interceptor.respond(new Request(input, init));
}

function findHttpResponder(url: URL): Respond | undefined {
  const interceptor = findInterceptor(url);
  return interceptor?.http ? interceptor.respond : undefined;
}

/**
 * Finds the interceptor with the longest matching path, because the path of a tenant
 * begins with the path of its lab.
 */
function findInterceptor(url: URL): Interceptor | undefined {
  let best: Interceptor | undefined;
  let bestLength = -1;
  for (const interceptor of interceptors) {
    const length = Math.max(...interceptor.baseUrls.map((baseUrl) => matchLength(url, baseUrl)));
    if (length <= bestLength) continue;
    best = interceptor;
    bestLength = length;
  }
  return best;
}

/** Returns the length of the matching base path, or -1. */
function matchLength(url: URL, baseUrl: string): number {
  if (url.origin !== new URL(baseUrl).origin) return -1;
  const base = basePath(baseUrl);
  return pathWithinIssuer(url.pathname, base) === undefined ? -1 : base.length;
}
