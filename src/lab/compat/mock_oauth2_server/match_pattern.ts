/** A longer value matches no expression, so that none takes long. */
const maxLength = 256;

/** What matters of an expression: an escape, a class, the ends of a group, a repetition. */
const parts = /\\.|\[(?:\\.|[^\]])*\]|[()*+]|\{\d+,\d*\}/gs;

/**
 * Returns why an expression could block the lab, or undefined. Clients choose the value, and for a
 * repetition within a repetition, the platform may try every way to divide it.
 */
export function patternProblem(pattern: string): string | undefined {
  /** Whether each open group has a repetition, and the group that was closed last. */
  const open = [false];
  let closed = { end: -1, repeats: false };
  for (const { 0: part, index } of pattern.matchAll(parts)) {
    if (part === "(") open.push(false);
    if (part === ")") {
      closed = { end: index + 1, repeats: open.pop() ?? false };
      open.push((open.pop() ?? false) || closed.repeats);
    }
    if (!/^[*+{]/.test(part)) continue;
    if (closed.end === index && closed.repeats) {
      return "has a repetition within a repetition, which can take forever: repeat once, or " +
        "name the values";
    }
    open[open.length - 1] = true;
  }
  return undefined;
}

/** Whether an expression matches a whole value. One that is not valid matches only itself. */
export function matchesWhole(pattern: string, value: string): boolean {
  if (value.length > maxLength) return false;
  try {
    return new RegExp(`^(?:${pattern})$`).test(value);
  } catch {
    return false;
  }
}
