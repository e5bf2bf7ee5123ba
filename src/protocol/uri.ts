/** Characters that may stand in a URI (RFC 3986, appendix A). Parsers disagree about the rest, so the rest is refused. */
const uriCharacters = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/** What a web parser mends by guessing: `https:host`, `https:///host`. */
const guessedHost = /^https?:(?!\/\/[^/?#])/i;

/** Whether every parser reads the same absolute URI out of a text. */
export function isAbsoluteUri(text: string): boolean {
  return uriCharacters.test(text) && !guessedHost.test(text) && URL.canParse(text);
}
