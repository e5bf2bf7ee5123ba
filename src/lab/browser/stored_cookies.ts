import { isSecureUrl } from "../../server/util/addresses/uri.ts";
import { minute } from "../../server/util/time/duration.ts";

/** More than this of a name with its value, no browser stores. */
const maxBytes = 4096;

/** A cookie without SameSite goes along with a POST from another site for so long, in Chromium. */
const laxGrace = 2 * minute * 1000;

export interface StoredCookie {
  name: string;
  value: string;
  /** The host, or the domain that all hosts below it belong to. */
  host: string;
  isForDomain: boolean;
  path: string;
  isSecure: boolean;
  isHttpOnly: boolean;
  sameSite?: "strict" | "lax" | "none" | undefined;
  /** When it was set and when it expires, in milliseconds. */
  setAt: number;
  expiresAt: number;
}

/** How a browser came to send a request. */
export interface CookieContext {
  method?: string | undefined;
  /** The URL of the page that led to it. */
  from?: string | undefined;
}

/** Changes a cookie, or leaves it out. */
export type CookieChange = (cookie: StoredCookie) => StoredCookie | undefined;

export interface Cookies {
  /** Stores the cookies of a response. */
  store(url: string, headers: Headers): void;
  /** Returns the Cookie header of a request; undefined if no cookie belongs to its URL. */
  headerFor(url: string, context?: CookieContext): string | undefined;
  /** Returns another store with the same cookies, or with what a function makes of them. */
  copy(change?: CookieChange): Cookies;
  all(): StoredCookie[];
}

/**
 * Creates a store of cookies for any number of hosts (RFC 6265bis). As in browsers, the port does
 * not matter, and pages of another site get along without cookies of their own.
 */
export function createCookies(
  now: () => number,
  first: readonly StoredCookie[] = [],
): Cookies {
  const keyed = (cookie: StoredCookie) =>
    [`${cookie.host} ${cookie.path} ${cookie.name}`, cookie] as const;
  const cookies = new Map(first.map(keyed));
  const current = () => [...cookies.values()].filter(({ expiresAt }) => expiresAt > now());
  return {
    store(url, headers) {
      for (const line of headers.getSetCookie()) {
        const cookie = readCookie(line, new URL(url), now());
        if (cookie) cookies.set(...keyed(cookie));
      }
    },
    headerFor(url, context = {}) {
      const pairs = current()
        .filter((cookie) => belongsTo(cookie, url) && comesAlong(cookie, url, context, now()))
        .toSorted((one, other) => other.path.length - one.path.length)
        .map(({ name, value }) => `${name}=${value}`);
      return pairs.length > 0 ? pairs.join("; ") : undefined;
    },
    copy: (change = (cookie) => cookie) =>
      createCookies(now, [...cookies.values()].flatMap((cookie) => change(cookie) ?? [])),
    all: current,
  };
}

function readCookie(
  line: string,
  { hostname, pathname }: URL,
  now: number,
): StoredCookie | undefined {
  const [pair = "", ...rest] = line.split(";");
  const equals = pair.indexOf("=");
  if (equals < 1 || pair.length > maxBytes) return undefined;
  const attributes = new Map(rest.map(readAttribute));
  const domain = attributes.get("domain")?.replace(/^\./, "").toLowerCase();
  if (domain && domain !== hostname && !hostname.endsWith(`.${domain}`)) return undefined;
  const path = attributes.get("path");
  /** The folder of the path (RFC 6265, section 5.1.4). */
  const folder = pathname.slice(0, pathname.lastIndexOf("/")) || "/";
  return {
    name: pair.slice(0, equals).trim(),
    value: pair.slice(equals + 1).trim(),
    host: domain || hostname,
    isForDomain: Boolean(domain),
    path: path?.startsWith("/") ? path : folder,
    isSecure: attributes.has("secure"),
    isHttpOnly: attributes.has("httponly"),
    sameSite: (["strict", "lax", "none"] as const)
      .find((each) => each === attributes.get("samesite")?.toLowerCase()),
    setAt: now,
    expiresAt: expiryOf(attributes, now),
  };
}

function readAttribute(text: string): [name: string, value: string] {
  const [name = "", ...value] = text.split("=");
  return [name.trim().toLowerCase(), value.join("=").trim()];
}

function expiryOf(attributes: ReadonlyMap<string, string>, now: number): number {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined) return now + Number(maxAge) * 1000;
  const expires = Date.parse(attributes.get("expires") ?? "");
  return Number.isNaN(expires) ? Infinity : expires;
}

function belongsTo({ host, isForDomain, path, isSecure }: StoredCookie, url: string): boolean {
  const { hostname, pathname } = new URL(url);
  const isItsHost = hostname === host || isForDomain && hostname.endsWith(`.${host}`);
  if (!isItsHost || (isSecure && !isSecureUrl(url))) return false;
  const folder = path.endsWith("/") ? path : `${path}/`;
  return pathname === path || pathname.startsWith(folder);
}

/** Whether a cookie goes along with a request that a page of another site leads to. */
function comesAlong(
  { sameSite, setAt }: StoredCookie,
  url: string,
  { method = "GET", from = url }: CookieContext,
  now: number,
): boolean {
  if (sameSite === "none" || siteOf(from) === siteOf(url)) return true;
  if (method === "GET") return sameSite !== "strict";
  return sameSite === undefined && now - setAt < laxGrace;
}

/** Returns the site of a URL: its last two labels, as no list of public suffixes is at hand. */
function siteOf(url: string): string {
  const { hostname } = new URL(url);
  return /^[\d.]+$|:/.test(hostname) ? hostname : hostname.split(".").slice(-2).join(".");
}
