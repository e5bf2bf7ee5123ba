import { isLoopbackHost } from "../util/loopback.ts";
import { hasPlainHost } from "../util/uri.ts";

/** Says what is wrong with an issuer identifier, or nothing (RFC 8414, section 2). */
export function issuerProblem(issuer: string, allowHttp: boolean): string | undefined {
  if (!URL.canParse(issuer)) return "is not an absolute URL";
  const url = new URL(issuer);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is neither https nor http";
  if (!issuer.startsWith(url.origin)) return `is not written as '${url.origin}'`;
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(issuer)) {
    return "has a query or a fragment";
  }
  if (url.username !== "" || url.password !== "") return "has user information in it";
  if (!hasPlainHost(issuer)) {
    return "has a host with other characters than letters, digits, '-', '.' and '_'";
  }
  if (url.protocol === "http:" && !allowHttp && !isLoopbackHost(url.hostname)) {
    return "uses http with a host that is not loopback; use https";
  }
  return undefined;
}

/** The path below which everything of an issuer lives: "" or "/tenant". */
export function basePath(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, "");
}

/** The URL of something that an issuer has. It depends on the issuer alone, never on the `Host` of a request. */
export function issuerUrl(issuer: string, path: string): string {
  return `${new URL(issuer).origin}${basePath(issuer)}${path}`;
}

/** Both places of a well-known document: before the issuer's path (RFC 8414, section 3) and after it (OpenID Connect Discovery, section 4). */
export function wellKnownPaths(issuer: string, path: string): string[] {
  const base = basePath(issuer);
  return base === "" ? [path] : [`${path}${base}`, `${base}${path}`];
}
