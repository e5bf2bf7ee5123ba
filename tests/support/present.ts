/** Returns a value that must be there. An absent one fails the test. */
export function present<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Error(`The value is ${value}.`);
  return value;
}

/** Returns the first group of a pattern's first match. A text without a match fails the test. */
export function firstMatch(text: string, pattern: RegExp): string {
  const [, group] = pattern.exec(text) ?? [];
  if (group === undefined) throw new Error(`${pattern} does not match: ${text}`);
  return group;
}
