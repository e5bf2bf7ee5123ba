const plainWord = /^[\w@%+=:,./-]+$/;

/** Quotes a text for a shell, if it needs that. */
export function shellQuote(text: string): string {
  return plainWord.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
