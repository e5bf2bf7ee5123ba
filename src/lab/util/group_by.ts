/** Groups items by a key. Those without a key are left out. */
export function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): Array<[first: T, ...later: T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}
