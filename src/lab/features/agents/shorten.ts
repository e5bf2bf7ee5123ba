/** What clients choose is rarely longer. In bytes, as JSON has them. */
const maxBytes = 400;

const maxEntries = 20;

/** Returns a copy of data whose texts and lists are short. */
export function shortenData<T extends object>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_, part) => {
    if (typeof part === "string") return shortenText(part);
    return Array.isArray(part) ? part.slice(0, maxEntries) : part;
  });
}

/** Returns the beginning of a text if it is long. */
export function shortenText(text: string, limit = maxBytes): string {
  if (text.length * 6 <= limit) return text;
  let size = 0;
  // JSON escapes some characters.
  const isAfter = (character: string) => (size += bytesIn(JSON.stringify(character)) - 2) > limit;
  const characters = [...text.slice(0, limit + 1)];
  const end = characters.findIndex(isAfter);
  return end < 0 ? text : `${characters.slice(0, end).join("")}…`;
}

export function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}
