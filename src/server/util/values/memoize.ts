/** Longer texts are rare, unless they are made up. */
const maxTextLength = 256;

/**
 * Remembers the results of a function that depends on a text alone. With more texts than
 * `maxSize`, it begins anew. Long texts are not remembered.
 */
export function memoize<T>(compute: (text: string) => T, maxSize: number): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined || results.has(text)) return known as T;
    return remember(results, text, compute(text), maxSize);
  };
}

/** Adds a result to those that are known, as `memoize` does, and returns it. */
export function remember<T>(
  results: Map<string, T>,
  text: string,
  result: T,
  maxSize: number,
): T {
  if (text.length > maxTextLength) return result;
  if (results.size >= maxSize) results.clear();
  results.set(text, result);
  return result;
}

/** Wraps a function so that it runs when its result is first needed, and only once. */
export function lazily<T extends object | number>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}
