/** What decides the names and the protection of the cookies of one issuer. */
export interface CookieJar {
  /** Reads the value of a cookie that a request brings. */
  read(request: Request, name: string): string | undefined;
  /** A `Set-Cookie` header. Without a lifetime, the cookie ends with the browser. */
  write(name: string, value: string, maxAge?: number): readonly ["Set-Cookie", string];
  clear(name: string): readonly ["Set-Cookie", string];
}

/**
 * Cookies of one issuer. Ports of localhost and tenants share one jar in the browser, so names carry a mark;
 * on https the prefix `__Host-` keeps other hosts of the domain from writing them.
 */
export function cookieJar(mark: string, secure: boolean): CookieJar {
  const nameOf = (name: string) => `${secure ? "__Host-" : ""}hallpass-${mark}-${name}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const write = (name: string, value: string, maxAge?: number) =>
    ["Set-Cookie", `${nameOf(name)}=${value}; ${attributes}${maxAge === undefined ? "" : `; Max-Age=${maxAge}`}`] as const;
  return {
    read: (request, name) => readCookie(request.headers.get("Cookie") ?? "", nameOf(name)),
    write,
    clear: (name) => write(name, "", 0),
  };
}

function readCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim() || undefined;
  }
  return undefined;
}
