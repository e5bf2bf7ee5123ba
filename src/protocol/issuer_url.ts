/** Says what is wrong with an issuer identifier, or nothing (RFC 8414, section 2). */
export function issuerProblem(issuer: string, allowHttp: boolean): string | undefined {
  if (!URL.canParse(issuer)) return "is not an absolute URL";
  const url = new URL(issuer);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is neither https nor http";
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(issuer)) return "has a query or a fragment";
  if (url.username !== "" || url.password !== "") return "has user information in it";
  if (url.protocol === "http:" && !allowHttp && !isLoopbackHost(url.hostname)) {
    return "uses http with a host that is not loopback; use https";
  }
  return undefined;
}

export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

/** The path below which everything of an issuer lives: "" or "/tenant". */
export function basePath(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, "");
}

/** Where something of an issuer is found. Only the issuer is ever asked, never the `Host` of a request. */
export function issuerUrl(issuer: string, path: string): string {
  return `${new URL(issuer).origin}${basePath(issuer)}${path}`;
}

/** Both places of a metadata document: before the issuer's path (RFC 8414, section 3) and after it (OpenID Connect Discovery, section 4). */
export function wellKnownPaths(issuer: string, name: string): string[] {
  const base = basePath(issuer);
  const wellKnown = `/.well-known/${name}`;
  return base === "" ? [wellKnown] : [`${wellKnown}${base}`, `${base}${wellKnown}`];
}
