/** Characters that may stand in a URI (RFC 3986, appendix A). Parsers disagree about the rest, so the rest is refused. */
const uriCharacters = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/** What a web parser mends by guessing: `https:host`, `https:///host`. */
const guessedHost = /^https?:(?!\/\/[^/?#])/i;

/** User information, host and port, as they are written. */
const authority = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]*)/;

/**
 * A host that is also safe inside a header. RFC 3986 allows `;`, `,` and `'` in a host as well,
 * and a Content-Security-Policy reads them as its own punctuation.
 */
const plainHost = /^(?:[A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])$/;

/** Whether every parser reads the same absolute URI out of a text. */
export function isAbsoluteUri(text: string): boolean {
  return uriCharacters.test(text) && !guessedHost.test(text) && URL.canParse(text) &&
    hasPlainHost(text);
}

/** Whether a host is plain both as it is written and as a URL parser reads it. */
export function hasPlainHost(uri: string): boolean {
  const [, written = ""] = authority.exec(uri) ?? [];
  const host = written.replace(/^.*@/, "").replace(/:\d*$/, "");
  return plainHost.test(host) && plainHost.test(new URL(uri).hostname);
}
