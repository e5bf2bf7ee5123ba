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

/** Returns the value of the open segment, which may have several names, or undefined if the path does not match. */
export function segmentIn(pattern: string, path: string): string | undefined {
  const open = openSegments(pattern, path);
  return open && (open[0]?.value ?? "");
}

/** A segment of a path that a pattern leaves open. */
interface OpenSegment {
  /** As the pattern has it: `":tenant"`. */
  name: string;
  value: string;
}

/** Returns the open segments of a path, or undefined if the path does not match. */
function openSegments(pattern: string, path: string): OpenSegment[] | undefined {
  const [names, values] = [pattern.split("/"), path.split("/")];
  if (names.length !== values.length) return undefined;
  const segments = names.map((name, at) => ({ name, value: values[at] ?? "" }));
  const isOpen = ({ name }: OpenSegment) => name.startsWith(":");
  const matches = segments.every((segment) =>
    isOpen(segment) ? isFilled(segment) : segment.name === segment.value
  );
  return matches ? segments.filter(isOpen) : undefined;
}

/** Whether a segment has a text for each of its names, and what is between them: `":region_:id"`. */
function isFilled({ name, value }: OpenSegment): boolean {
  const [, ...between] = name.split(/:[a-z]+/i);
  let rest = value;
  for (const text of between.slice(0, -1)) {
    const at = rest.indexOf(text, 1);
    if (at < 0) return false;
    rest = rest.slice(at + text.length);
  }
  return rest !== "";
}
