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

/** Returns the value of the open segment, which may have several names, or undefined if the path does not match. */
export function segmentIn(pattern: string, path: string): string | undefined {
  const [parts, segments] = [pattern.split("/"), path.split("/")];
  if (parts.length !== segments.length) return undefined;
  const open = parts.findIndex((part) => part.startsWith(":"));
  const matches = parts.every((part, at) =>
    at === open ? isFilled(part, segments[at] ?? "") : part === segments[at]
  );
  return matches ? segments[open] ?? "" : undefined;
}

/** Whether a segment has a text for each name, and what is between them: `":region_:id"`. */
function isFilled(pattern: string, segment: string): boolean {
  const [, ...between] = pattern.split(/:[a-z]+/i);
  let rest = segment;
  for (const text of between.slice(0, -1)) {
    const at = rest.indexOf(text, 1);
    if (at < 0) return false;
    rest = rest.slice(at + text.length);
  }
  return rest !== "";
}
