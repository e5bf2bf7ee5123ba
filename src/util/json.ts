/** Whether a value is a JSON object; a list is none. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads JSON; nothing, where a text is none, or holds what could not be passed on whole. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isSound(value, maxDepth) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Nothing that means something here is nested so deep. What is much deeper can be read, but not be written again. */
const maxDepth = 32;

/** Half of a surrogate pair, which an escape can write, is no character: it has no UTF-8, and no place in a URI (RFC 8259, section 8.2). */
function isSound(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 &&
    Object.entries(value).every(([name, inner]) =>
      name.isWellFormed() && isSound(inner, depth - 1)
    );
}
