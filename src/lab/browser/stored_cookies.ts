import { isSecureUrl } from "../../server/util/addresses/uri.ts";

interface StoredCookie {
  name: string;
  value: string;
  host: string;
  path: string;
  isSecure: boolean;
}

/** The cookies of a browser. */
export interface Cookies {
  /** Stores the cookies of a response. */
  store(url: string, headers: Headers): void;
  /** Returns the Cookie header of a request; undefined if no cookie belongs to its URL. */
  headerFor(url: string): string | undefined;
  /** Returns another store with the same cookies, or with those of the given names. */
  copy(isKept?: (name: string) => boolean): Cookies;
  /** Returns the names of the cookies. */
  names(): string[];
}

/**
 * Creates a store of cookies for any number of hosts (RFC 6265), which sends each cookie back
 * to the host that set it. As in browsers, the port does not matter. The Domain attribute is
 * ignored: an application under test is one host.
 */
export function createCookies(
  now: () => number,
  first: Iterable<[key: string, cookie: StoredCookie]> = [],
): Cookies {
  const cookies = new Map(first);
  return {
    store(url, headers) {
      for (const line of headers.getSetCookie()) {
        const { cookie, hasExpired } = readCookie(line, new URL(url), now());
        if (!cookie) continue;
        const key = `${cookie.host} ${cookie.path} ${cookie.name}`;
        if (hasExpired) cookies.delete(key);
        else cookies.set(key, cookie);
      }
    },
    headerFor(url) {
      const pairs = [...cookies.values()].filter((cookie) => belongsTo(cookie, url))
        .map(({ name, value }) => `${name}=${value}`);
      return pairs.length > 0 ? pairs.join("; ") : undefined;
    },
    copy: (isKept = () => true) =>
      createCookies(now, [...cookies].filter(([, { name }]) => isKept(name))),
    names: () => [...cookies.values()].map(({ name }) => name),
  };
}

function readCookie(
  line: string,
  { hostname, pathname }: URL,
  now: number,
): { cookie?: StoredCookie; hasExpired?: boolean } {
  const [pair = "", ...rest] = line.split(";");
  const equals = pair.indexOf("=");
  if (equals < 1) return {};
  const attributes = new Map(rest.map(readAttribute));
  const path = attributes.get("path");
  const cookie = {
    name: pair.slice(0, equals).trim(),
    value: pair.slice(equals + 1).trim(),
    host: hostname,
    path: path?.startsWith("/") ? path : defaultPath(pathname),
    isSecure: attributes.has("secure"),
  };
  return { cookie, hasExpired: hasExpired(attributes, now) };
}

function readAttribute(text: string): [name: string, value: string] {
  const [name = "", ...value] = text.split("=");
  return [name.trim().toLowerCase(), value.join("=").trim()];
}

function hasExpired(attributes: ReadonlyMap<string, string>, now: number): boolean {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  return Date.parse(attributes.get("expires") ?? "") <= now;
}

/** Returns the folder of a path (RFC 6265, section 5.1.4). */
function defaultPath(pathname: string): string {
  return pathname.slice(0, pathname.lastIndexOf("/")) || "/";
}

function belongsTo({ host, path, isSecure }: StoredCookie, url: string): boolean {
  const { hostname, pathname } = new URL(url);
  if (hostname !== host || (isSecure && !isSecureUrl(url))) return false;
  const folder = path.endsWith("/") ? path : `${path}/`;
  return pathname === path || pathname.startsWith(folder);
}
