/** The cookies of one issuer. */
export interface CookieJar {
  /** Reads the value of a cookie that a request brings. */
  read(request: Request, name: string): string | undefined;
  /** A `Set-Cookie` header. The cookie lasts for `maxAge` seconds; by default it ends with the browser. */
  write(name: string, value: string, maxAge?: number): readonly ["Set-Cookie", string];
  clear(name: string): readonly ["Set-Cookie", string];
}

/**
 * Ports of localhost, and issuers with different paths, share one cookie jar in the browser, so names carry a hash of the issuer.
 * On https the prefix `__Host-` keeps other hosts of the domain from writing them.
 */
export function cookieJar(
  { issuer, frontChannelUrl }: { issuer: string; frontChannelUrl: string },
): CookieJar {
  const secure = frontChannelUrl.startsWith("https:");
  const prefix = `${secure ? "__Host-" : ""}hallpass-${shortHash(issuer)}-`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const write = (name: string, value: string, maxAge?: number) =>
    [
      "Set-Cookie",
      `${prefix}${name}=${value}; ${attributes}${
        maxAge === undefined ? "" : `; Max-Age=${maxAge}`
      }`,
    ] as const;
  return {
    read: (request, name) => readCookie(request.headers.get("Cookie") ?? "", prefix + name),
    write,
    clear: (name) => write(name, "", 0),
  };
}

function readCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) {
      return pair.slice(equals + 1).trim() || undefined;
    }
  }
  return undefined;
}

/** FNV-1a. Two issuers with the same hash would only overwrite each other's cookies. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(36);
}
