/** Makes one id of parts that may hold anything. Rows whose ids begin alike can be listed by their beginning. */
export function joinedId(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join("/");
}

/** What the ids of all rows begin with that have these parts first. */
export function joinedPrefix(...parts: readonly string[]): string {
  return `${joinedId(...parts)}/`;
}

/** The parts that an id was made of. */
export function partsOf(id: string): string[] {
  return id.split("/").map(decodeURIComponent);
}
