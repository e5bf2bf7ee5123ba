import { hasPlainHost, isLoopbackName } from "../util/addresses/uri.ts";
import { memoize } from "../util/values/memoize.ts";

/** Returns why an issuer identifier is invalid, or undefined (RFC 8414, section 2). */
export function issuerProblem(issuer: string, allowHttp: boolean): string | undefined {
  if (!URL.canParse(issuer)) return "is not an absolute URL";
  const url = new URL(issuer);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is neither https nor http";
  // This also excludes user information, and the default port.
  if (!issuer.startsWith(url.origin) || !/^(?:[/?#]|$)/.test(issuer.slice(url.origin.length))) {
    return `must be written as '${url.origin}'`;
  }
  if (/[?#]/.test(issuer)) return "has a query or a fragment";
  const path = issuer.slice(url.origin.length);
  if (path !== "" && path !== url.pathname) {
    return `has a path that clients would change; write it as '${url.pathname}'`;
  }
  if (path.includes("//")) return "has an empty segment in its path";
  if (!hasPlainHost(issuer, url)) {
    return "has a host with characters other than letters, digits, '-', '.' and '_'";
  }
  if (url.protocol === "http:" && !allowHttp && !isLoopbackName(url.hostname)) {
    return "uses http with a host that is not loopback; use https";
  }
  return undefined;
}

/** A process has one issuer or a few, and asks for their parts again and again. */
const partsOf = memoize((issuer: string) => {
  const { origin, pathname } = new URL(issuer);
  return { origin, base: pathname.replace(/\/$/, "") };
}, 100);

/** Returns the path that all routes of an issuer begin with: "" or "/tenant". */
export function basePath(issuer: string): string {
  return partsOf(issuer).base;
}

/** Returns the URL of an issuer's route. It never depends on the `Host` of a request. */
export function issuerUrl(issuer: string, path: string): string {
  const { origin, base } = partsOf(issuer);
  return `${origin}${base}${path}`;
}

/**
 * Returns both paths of a well-known document: before the issuer's path (RFC 8414, section 3) and
 * after it (OpenID Connect Discovery, section 4).
 */
export function wellKnownPaths(issuer: string, path: string): string[] {
  const base = basePath(issuer);
  return base === "" ? [path] : [`${path}${base}`, `${base}${path}`];
}

/**
 * Returns a path without the path of its issuer, or undefined if it belongs to another issuer. In a
 * well-known path, the issuer's path comes last (RFC 8414, section 3).
 */
export function pathWithinIssuer(pathname: string, base: string): string | undefined {
  if (pathname === base) return "/";
  if (pathname.startsWith(`${base}/`)) return pathname.slice(base.length);
  const { document, issuerPath } = splitWellKnownPath(pathname);
  return document !== undefined && issuerPath === base ? document : undefined;
}

/** Splits "/.well-known/name/tenant" into "/.well-known/name" and "/tenant". */
export function splitWellKnownPath(pathname: string): {
  /** The path of the document at an issuer without a path; undefined for any other path. */
  document?: string | undefined;
  /** The rest: the path of the issuer, or the whole path if it is not well-known. */
  issuerPath: string;
} {
  const [, document, issuerPath = pathname] = /^(\/\.well-known\/[^/]+)(.*)$/.exec(pathname) ?? [];
  return { document, issuerPath };
}
