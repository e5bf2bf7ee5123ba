import { shortHash } from "../util/crypto/hash.ts";
import type { RequestHeaders } from "./incoming_request.ts";

/** The cookies of one issuer. */
export type CookieJar = ReturnType<typeof createCookieJar>;

export type SetCookie = readonly [name: "Set-Cookie", value: string];

/**
 * Ports of localhost, and issuers that differ in their paths, share the cookies of a browser, so
 * names contain a hash of the issuer. On https the prefix `__Host-` prevents other hosts of the
 * domain from writing them. Two issuers with the same hash would merely overwrite each other's
 * cookies.
 */
export function createCookieJar(
  { issuer, frontChannelUrl, sameSite = "Lax" }: {
    issuer: string;
    frontChannelUrl: string;
    /** Whether requests from links of other sites have the cookies. By default, they do. */
    sameSite?: "Lax" | "Strict";
  },
) {
  const isSecure = frontChannelUrl.startsWith("https:");
  const prefix = `${isSecure ? "__Host-" : ""}hallpass-${shortHash(issuer)}-`;
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? "; Secure" : ""}`;
  const write = (name: string, value: string, maxAge?: number): SetCookie => {
    const lifetime = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
    return ["Set-Cookie", `${prefix}${name}=${value}; ${attributes}${lifetime}`];
  };
  return {
    /** Reads the value of a cookie of a request with these headers. */
    read: (headers: RequestHeaders, name: string) =>
      readCookie(headers.get("Cookie") ?? "", prefix + name),
    /** Returns a `Set-Cookie` header. By default, the cookie lasts until the browser closes. */
    write,
    clear: (name: string) => write(name, "", 0),
  };
}

function readCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals !== -1 && pair.slice(0, equals).trim() === name) {
      return pair.slice(equals + 1).trim() || undefined;
    }
  }
  return undefined;
}
