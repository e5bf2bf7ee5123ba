const plainWord = /^[\w@%+=:,./-]+$/;

/** Quotes a text for a shell, if it needs that. */
export function shellQuote(text: string): string {
  return plainWord.test(text) ? text : inQuotes(text);
}

/** A shell takes everything in single quotes literally, except a single quote. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
