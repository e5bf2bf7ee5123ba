/** How deep JSON may be nested. Deeper values can be parsed, but not always be written again. */
const maxDepth = 32;

/** Whether a value is a JSON object, and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses JSON. Returns undefined if it is malformed, too deep, or not well-formed Unicode. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isSound(value, maxDepth) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Formats equal JSON values as equal texts: the order of an object's members does not matter. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) =>
    `${JSON.stringify(name)}:${canonicalJson(value[name])}`
  );
  return `{${members.join()}}`;
}

/** A lone surrogate, which an escape can produce, has no UTF-8 (RFC 8259, section 8.2). */
function isSound(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 &&
    Object.entries(value).every(([name, inner]) =>
      name.isWellFormed() && isSound(inner, depth - 1)
    );
}
