/** A place that a path leads to, and the value of the path's open segment. */
export interface MatchedPath<Place> {
  place: Place;
  /** Empty if no segment is open. */
  segment: string;
}

/** Finds the first place whose path matches. One segment of it may be open: `"/:tenant/keys"`. */
export function matchPath<Place extends { path: string }>(
  places: readonly Place[],
  path: string,
): MatchedPath<Place> | undefined {
  for (const place of places) {
    const segment = segmentIn(place.path, path);
    if (segment !== undefined) return { place, segment };
  }
  return undefined;
}

/** Returns the values of all open segments by their names, or undefined if the path does not match. */
export function segmentsIn(pattern: string, path: string): Record<string, string> | undefined {
  const [parts, segments] = [pattern.split("/"), path.split("/")];
  if (parts.length !== segments.length) return undefined;
  const isOpen = (part: string) => part.startsWith(":");
  const matches = parts.every((part, at) =>
    isOpen(part) ? segments[at] !== "" : part === segments[at]
  );
  if (!matches) return undefined;
  const open = parts.flatMap((part, at) =>
    isOpen(part) ? [[part.slice(1), segments[at] ?? ""]] : []
  );
  return Object.fromEntries(open);
}

/** Returns the value of the open segment, or undefined if the path does not match. */
export function segmentIn(pattern: string, path: string): string | undefined {
  const [parts, segments] = [pattern.split("/"), path.split("/")];
  if (parts.length !== segments.length) return undefined;
  const open = parts.findIndex((part) => part.startsWith(":"));
  const matches = parts.every((part, at) =>
    at === open ? segments[at] !== "" : part === segments[at]
  );
  return matches ? segments[open] ?? "" : undefined;
}
