/** Wraps a function so that it runs when its result is first needed, and only once. */
export function lazily<T extends object | number>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}
