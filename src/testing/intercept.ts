import { basePath } from "../protocol/issuer_url.ts";

type GlobalFetch = typeof globalThis.fetch;

/** The global fetch, as long as a lab answers for its issuer. */
export interface Interception {
  /** Lets the global fetch go where it went before. */
  restore(): void;
  /** The same, at the end of a `using`. */
  [Symbol.dispose](): void;
}

interface Interceptor {
  addresses: readonly string[];
  answer(request: Request): Promise<Response>;
}

/** Whoever intercepts at the moment: tests that run side by side share one global fetch. */
const interceptors = new Set<Interceptor>();
let original: GlobalFetch | undefined;

/** Takes over what the global fetch is asked of some addresses; everything else goes where it went before. */
export function intercept(
  addresses: readonly string[],
  answer: Interceptor["answer"],
): Interception {
  const interceptor = { addresses, answer };
  if (interceptors.size === 0) {
    original = globalThis.fetch;
    globalThis.fetch = dispatch;
  }
  interceptors.add(interceptor);
  const restore = () => {
    const wasLast = interceptors.delete(interceptor) && interceptors.size === 0;
    if (wasLast && globalThis.fetch === dispatch) globalThis.fetch = original!;
  };
  return { restore, [Symbol.dispose]: restore };
}

const dispatch: GlobalFetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  const found = URL.canParse(url) ? ownerOf(new URL(url)) : undefined;
  return found ? await found.answer(new Request(input, init)) : await original!(input, init);
};

/** The one whose address is the longest that fits: a tenant stands below the path of its lab. */
function ownerOf(url: URL): Interceptor | undefined {
  const fits = [...interceptors].map((interceptor) => ({
    interceptor,
    length: Math.max(...interceptor.addresses.map((address) => fitOf(url, address))),
  }));
  return fits.sort((one, other) => other.length - one.length).find(({ length }) => length >= 0)
    ?.interceptor;
}

/** How long the path of an address is that a URL stands below; -1 where it does not. */
function fitOf({ origin, pathname }: URL, address: string): number {
  const base = basePath(address);
  const isBelow = base === "" || pathname === base || pathname.startsWith(`${base}/`);
  const isWellKnown = pathname.startsWith("/.well-known/") && pathname.endsWith(base);
  return origin === new URL(address).origin && (isBelow || isWellKnown) ? base.length : -1;
}
