/** Characters that may stand in a URI (RFC 3986, appendix A). Parsers disagree about the rest, so the rest is refused. */
const uriCharacters = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;

/** Whether every parser reads the same absolute URI out of a text. */
export function isAbsoluteUri(text: string): boolean {
  return uriCharacters.test(text) && URL.canParse(text);
}
