/** Sorts after each character of a joined id. Redis commands in ASCII are quicker to encode. */
const lastCharacter = "\x7f";

/** Joins parts of any content into one id. Rows can be listed by their first parts. */
export function joinId(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join("/");
}

/** Returns the prefix of all ids that have these first parts. */
export function idPrefix(...parts: readonly string[]): string {
  return `${joinId(...parts)}/`;
}

/** Returns a text that sorts after all ids that have these first parts, and before all others. */
export function idsEnd(...parts: readonly string[]): string {
  return prefixEnd(idPrefix(...parts));
}

/** Returns a text that sorts after all ids that begin with a prefix, and before all others. */
export function prefixEnd(prefix: string): string {
  return prefix + lastCharacter;
}

export function splitId(id: string): string[] {
  return id.split("/").map(decodeURIComponent);
}
