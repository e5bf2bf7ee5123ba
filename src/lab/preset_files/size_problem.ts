/** The largest preset, in characters of its JSON. */
const maxLength = 128 * 1024;
const maxTextLength = 4_000;
const maxEntries = 500;
const maxDepth = 16;

/** Names that lead to the prototype of an object. */
const prototypeNames: readonly string[] = ["__proto__", "constructor", "prototype"];

/** Returns why JSON from elsewhere is too large or too deep, or leads to a prototype. */
export function sizeProblem(value: unknown): string | undefined {
  const problem = partProblem(value, maxDepth);
  if (problem !== undefined) return problem;
  const length = JSON.stringify(value)?.length ?? 0;
  return length > maxLength ? `is larger than ${maxLength / 1024} kB` : undefined;
}

function partProblem(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return textProblem(value);
  if (typeof value === "function") return "contains a function";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === 0) return `is nested more than ${maxDepth} deep`;
  // Members without a name that `for … in` finds would be skipped: all own ones count.
  const names = Reflect.ownKeys(value).filter((name) => !Array.isArray(value) || name !== "length");
  if (names.length > maxEntries) return `contains more than ${maxEntries} entries in one place`;
  for (const name of names) {
    const problem = nameProblem(name) ?? partProblem(Reflect.get(value, name), depth - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function nameProblem(name: string | symbol): string | undefined {
  if (typeof name === "symbol" || prototypeNames.includes(name)) {
    return `contains a member with the name '${String(name)}'`;
  }
  return textProblem(name);
}

function textProblem(text: string): string | undefined {
  if (text.length > maxTextLength) {
    return `contains a text of more than ${maxTextLength} characters`;
  }
  return text.isWellFormed() ? undefined : "contains malformed Unicode";
}
