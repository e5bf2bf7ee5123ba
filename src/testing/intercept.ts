import { basePath } from "../protocol/issuer_url.ts";

type GlobalFetch = typeof globalThis.fetch;

/** The global `fetch` while it sends requests for a lab to the lab. */
export interface Interception {
  /** Restores the global `fetch`. */
  restore(): void;
  /** Restores the global `fetch` at the end of a `using` block. */
  [Symbol.dispose](): void;
}

interface Interceptor {
  addresses: readonly string[];
  respond(request: Request): Promise<Response>;
}

/** All interceptors at the moment: tests that run in parallel share one global `fetch`. */
const interceptors = new Set<Interceptor>();
let originalFetch: GlobalFetch = globalThis.fetch;

/**
 * Responds to requests of the global `fetch` for some addresses; other requests go to the network.
 */
export function intercept(
  addresses: readonly string[],
  respond: Interceptor["respond"],
): Interception {
  const interceptor = { addresses, respond };
  if (interceptors.size === 0) {
    originalFetch = globalThis.fetch;
    globalThis.fetch = dispatch;
  }
  interceptors.add(interceptor);
  const restore = () => {
    const wasLast = interceptors.delete(interceptor) && interceptors.size === 0;
    if (wasLast && globalThis.fetch === dispatch) globalThis.fetch = originalFetch;
  };
  return { restore, [Symbol.dispose]: restore };
}

const dispatch: GlobalFetch = async (input, init) => {
  const url = URL.parse(input instanceof Request ? input.url : String(input));
  const interceptor = url === null ? undefined : findInterceptor(url);
  if (!interceptor) return await originalFetch(input, init);
  return await interceptor.respond(new Request(input, init));
};

/**
 * Finds the interceptor with the longest matching address: a tenant lives below the path of its
 * lab.
 */
function findInterceptor(url: URL): Interceptor | undefined {
  let found: Interceptor | undefined;
  let longest = -1;
  for (const interceptor of interceptors) {
    const length = Math.max(...interceptor.addresses.map((address) => matchLength(url, address)));
    if (length > longest) [found, longest] = [interceptor, length];
  }
  return found;
}

/** Returns the length of an address's path if the URL belongs to the address, and -1 otherwise. */
function matchLength({ origin, pathname }: URL, address: string): number {
  const base = basePath(address);
  const isBelow = base === "" || pathname === base || pathname.startsWith(`${base}/`);
  const isWellKnown = pathname.startsWith("/.well-known/") && pathname.endsWith(base);
  return origin === new URL(address).origin && (isBelow || isWellKnown) ? base.length : -1;
}
