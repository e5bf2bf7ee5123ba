import { basePath } from "../../server/protocol/issuer_url.ts";

/** Finds the first place whose path matches. One segment of it may be open: `"/:tenant/keys"`. */
export function matchPath<Place extends { path: string }>(
  places: readonly Place[],
  path: string,
): { place: Place; segment: string } | undefined {
  for (const place of places) {
    const segment = segmentIn(place.path, path);
    if (segment !== undefined) return { place, segment };
  }
  return undefined;
}

/**
 * Returns the value of the open segment, which may have several names, or undefined if the path
 * does not match. It is empty if no segment is open.
 */
export function segmentIn(pattern: string, path: string): string | undefined {
  const [names, values] = [pattern.split("/"), path.split("/")];
  if (names.length !== values.length) return undefined;
  const segments = names.map((name, at) => ({ name, value: values[at] ?? "" }));
  const isOpen = ({ name }: PathSegment) => name.startsWith(":");
  const matches = segments.every((segment) =>
    isOpen(segment) ? isFilled(segment) : segment.name === segment.value
  );
  return matches ? segments.find(isOpen)?.value ?? "" : undefined;
}

/** Returns the path below an address; a host of a provider has the same paths as the lab itself. */
export function pathBelow(pathname: string, base: string): string {
  const prefix = basePath(base);
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
}

/** A segment of a path, and the same one of a pattern: `":tenant"` if it is open. */
interface PathSegment {
  name: string;
  value: string;
}

/** Whether a segment has a text for each of its names, and what is between them: `":region_:id"`. */
function isFilled({ name, value }: PathSegment): boolean {
  const [, ...between] = name.split(/:[a-z]+/i);
  let rest = value;
  for (const text of between.slice(0, -1)) {
    const at = rest.indexOf(text, 1);
    if (at < 0) return false;
    rest = rest.slice(at + text.length);
  }
  return rest !== "";
}
