/** The characters of a URI (RFC 3986, appendix A). Parsers disagree about all others. */
const uriCharacters = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/** Malformed URLs that web parsers repair: `https:host`, `https:///host`. */
const guessedHost = /^https?:(?!\/\/[^/?#])/i;

/** User information, host and port, as written. */
const authority = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]*)/;

/**
 * A host that is also safe inside a header. RFC 3986 allows `;`, `,` and `'` in a host as well, and
 * a Content-Security-Policy reads them as its own punctuation.
 */
const plainHost = /^(?:[A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])$/;

/** Parses a URL. Returns undefined if it is none. Node 20 has no `URL.parse`. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Whether a text is an absolute URI that every parser reads alike. */
export function isAbsoluteUri(text: string): boolean {
  return parseAbsoluteUri(text) !== undefined;
}

/** Parses an absolute URI. Returns undefined if it is none that every parser reads alike. */
export function parseAbsoluteUri(text: string): URL | undefined {
  if (!uriCharacters.test(text) || guessedHost.test(text)) return undefined;
  const url = parseUrl(text);
  return url && hasPlainHost(text, url) ? url : undefined;
}

/** Whether a text is an absolute http or https URL without a fragment. */
export function isWebUrl(text: string): boolean {
  return isAbsoluteUri(text) && !text.includes("#") && /^https?:/i.test(text);
}

/** Returns the URL that a text without a scheme seems to mean: "localhost:3000/login". */
export function withScheme(text: string): string | undefined {
  return /^[\w.-]+(:\d{1,5})?(\/|$)/.test(text) ? `http://${text}` : undefined;
}

/** Whether a text is an http or https origin, with neither a path nor a slash at its end. */
export function isWebOrigin(text: unknown): boolean {
  if (typeof text !== "string" || !isWebUrl(text)) return false;
  return new URL(text).origin === text;
}

/** Whether a host is plain both as written and as a URL parser reads it. */
export function hasPlainHost(uri: string, { hostname }: URL): boolean {
  const [, written = ""] = authority.exec(uri) ?? [];
  const host = written.replace(/^.*@/, "").replace(/:\d*$/, "");
  return plainHost.test(host) && plainHost.test(hostname);
}

/** Whether a URI has user information, even an empty one, which a URL parser drops. */
export function hasUserInformation(uri: string): boolean {
  return authority.exec(uri)?.[1]?.includes("@") ?? false;
}

/**
 * Whether a hostname means this machine to a browser: a loopback host, or a name below `localhost`
 * (RFC 6761, section 6.3).
 */
export function isLoopbackName(hostname: string): boolean {
  return isLoopbackHost(hostname) || isBelowLocalhost(hostname);
}

/** Whether a hostname is a name below `localhost`. */
export function isBelowLocalhost(hostname: string): boolean {
  return /[^.]\.localhost$/.test(hostname);
}

/**
 * Whether a hostname leads this process to its own machine, to listen there or to send requests. A
 * resolver that ignores RFC 6761 may lead a name below `localhost` elsewhere.
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(hostname);
}

/** Whether a URL is safe from eavesdroppers: https, or http that never leaves this machine. */
export function isSecureUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
}
