import { basePath, pathWithinIssuer } from "../../server/protocol/issuer_url.ts";
import { parseUrl } from "../../server/util/addresses/uri.ts";
import { LabError } from "../util/lab_error.ts";
import { interceptNodeHttp } from "./node_http.ts";

type GlobalFetch = typeof globalThis.fetch;
type Respond = (request: Request) => Promise<Response>;

/** What to intercept beside the global `fetch`. */
export interface InterceptOptions {
  /**
   * Whether requests of `node:http` and `node:https` are intercepted as well: `http.request`,
   * `https.get`, every agent, and the libraries above them.
   */
  http?: boolean | undefined;
  /**
   * Whether requests for the hosts of the provider that the lab plays are intercepted as well:
   * `https://accounts.google.com`, `https://api.github.com`. Its tokens name these hosts if the lab
   * was opened with `hosts: true`.
   *
   * @default true if the issuer has such a host, false otherwise
   */
  hosts?: boolean | undefined;
  /**
   * What becomes of requests for any other address while this lasts, of this test or another one:
   * with `"error"`, they fail, so that no test reaches a real provider. The stack of the error shows
   * who sent the request, and the console has a warning for each host.
   *
   * @default they go to the network
   */
  others?: "error" | undefined;
  /**
   * The hosts that `others` exempts, such as that of the application under test: `localhost:3000`,
   * or `localhost` for all of its ports.
   */
  allow?: readonly string[] | undefined;
}

/** Sends requests of the global `fetch` to a lab until it ends. */
export interface Interception {
  /** Ends the interception. The last one that ends restores the global `fetch` and `node:http`. */
  restore(): void;
  /** Ends the interception at the end of a `using` block. */
  [Symbol.dispose](): void;
}

interface Interceptor {
  baseUrls: readonly string[];
  hostUrls: readonly string[];
  respond: Respond;
  /** Whether requests of `node:http` are for it as well. */
  http: boolean;
  /** The hosts that requests may reach beside labs, if others are an error. */
  onlyHosts: readonly string[] | undefined;
}

/** The active interceptors. There can be several: parallel tests share one global `fetch`. */
const interceptors = new Set<Interceptor>();
let originalFetch: GlobalFetch = globalThis.fetch;
let restoreNodeHttp: (() => void) | undefined;
/** The origins of which a warning was printed: an application may hide the error. */
const warnedOf = new Set<string>();

/**
 * Passes requests of the global `fetch` below these base URLs, and for these hosts, to `respond`.
 * All other requests go to the network.
 */
export function intercept(
  baseUrls: readonly string[],
  respond: Respond,
  { http = false, others, allow = [], hostUrls = [] }: InterceptOptions & {
    /** The URLs of the hosts of providers, which only one lab can have at a time. */
    hostUrls?: readonly string[];
  } = {},
): Interception {
  checkFree(hostUrls);
  allow.forEach(checkHost);
  const onlyHosts = others && allow;
  const interceptor = { baseUrls: [...baseUrls, ...hostUrls], hostUrls, respond, http, onlyHosts };
  // First of all: it throws where node:http cannot be replaced.
  if (concernsNodeHttp(interceptor)) restoreNodeHttp ??= interceptNodeHttp(findHttpResponder);
  if (interceptors.size === 0) {
    originalFetch = globalThis.fetch;
    globalThis.fetch = interceptedFetch;
  }
  interceptors.add(interceptor);
  const restore = () => remove(interceptor);
  return { restore, [Symbol.dispose]: restore };
}

/** A request for the host of a provider names no lab, so only one lab can have that host. */
function checkFree(hostUrls: readonly string[]): void {
  const taken = [...interceptors].flatMap((each) => each.hostUrls);
  const both = hostUrls.find((url) => taken.includes(url));
  if (both === undefined) return;
  throw new LabError(
    `Another lab intercepts ${both} already. Restore that interception first: ` +
      "using _ = lab.intercept({ hosts: true })",
  );
}

/** An entry in another form, such as a URL, would match no request. */
function checkHost(allowed: string): void {
  const url = parseUrl(/^\w+:\/\//.test(allowed) ? allowed : `http://${allowed}`);
  if (url?.host === allowed) return;
  throw new LabError(
    `'${allowed}' in 'allow' is not a host. Use its name, with or without a port: ` +
      `lab.intercept({ others: "error", allow: ["${url?.host || "localhost:3000"}"] })`,
  );
}

function remove(interceptor: Interceptor): void {
  const wasActive = interceptors.delete(interceptor);
  if (![...interceptors].some(concernsNodeHttp)) {
    restoreNodeHttp?.();
    restoreNodeHttp = undefined;
  }
  if (!wasActive || interceptors.size > 0) return;
  warnedOf.clear();
  // Another library may have replaced the global `fetch` meanwhile.
  if (globalThis.fetch === interceptedFetch) globalThis.fetch = originalFetch;
}

/** Browsers have no `node:http` whose requests could be an error. */
function concernsNodeHttp({ http, onlyHosts }: Interceptor): boolean {
  return http || onlyHosts !== undefined && "process" in globalThis;
}

async function interceptedFetch(...[input, init]: Parameters<GlobalFetch>): Promise<Response> {
  const url = parseUrl(input instanceof Request ? input.url : String(input));
  const interceptor = url && findInterceptor(url);
  if (!interceptor) {
    if (url) checkAllowed(url);
    const response = await originalFetch(input, init);
    // Where redirects lead is known only now: such a request has left, but its test fails.
    const end = response.redirected ? parseUrl(response.url) : undefined;
    if (end && !findInterceptor(end)) checkAllowed(end);
    return response;
  }
  return await interceptor.respond(new Request(input, init));
}

function findHttpResponder(url: URL): Respond | undefined {
  const interceptor = findInterceptor(url);
  if (!interceptor) checkAllowed(url);
  return interceptor?.http ? interceptor.respond : undefined;
}

/** @throws {LabError} Requests for other hosts are an error, and no test allows this one. */
function checkAllowed({ host, hostname, origin }: URL): void {
  const lists = [...interceptors].flatMap(({ onlyHosts }) => onlyHosts ? [onlyHosts] : []);
  const isAllowed = lists.flat().some((allowed) => allowed === host || allowed === hostname);
  // Data, blobs and files have no host.
  if (lists.length === 0 || isAllowed || host === "") return;
  const message = `A request for ${origin} would leave this test. If it may, allow its host: ` +
    `lab.intercept({ others: "error", allow: ["${host}"] })`;
  if (!warnedOf.has(origin)) console.warn(`hallpass: ${message}`);
  warnedOf.add(origin);
  throw new LabError(message);
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
