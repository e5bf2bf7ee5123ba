/** Groups items by a key. */
export function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): Array<[first: T, ...later: T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
