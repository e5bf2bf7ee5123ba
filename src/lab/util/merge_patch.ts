import { isObject } from "../../server/util/text/json.ts";

/** Merges a patch into JSON (RFC 7396, section 2). */
export function mergePatch(
  target: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    const before = merged.get(name);
    if (value === null) merged.delete(name);
    else if (isObject(value)) merged.set(name, mergePatch(isObject(before) ? before : {}, value));
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}
