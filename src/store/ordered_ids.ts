/** More changes than this are cheaper to sort again, and would use much memory until then. */
const maxTouched = 10_000;

/** The ordered ids of one kind of rows. They are sorted when listed, not at every write. */
export interface OrderedIds {
  /** Records that a row was added or deleted. */
  touch(id: string): void;
  /** Returns the next ids after the given one, or the first ones. */
  after(id: string | undefined, limit: number): string[];
}

export function createOrderedIds(rows: ReadonlyMap<string, unknown>): OrderedIds {
  let sorted: string[] | undefined;
  const touched = new Set<string>();

  function sortedIds(): string[] {
    if (sorted && touched.size === 0) return sorted;
    sorted = sorted ? merge(sorted, touched, rows) : [...rows.keys()].sort(byCodePoint);
    touched.clear();
    return sorted;
  }

  return {
    touch(id) {
      if (!sorted) return;
      touched.add(id);
      if (touched.size <= maxTouched) return;
      // So many changes since the last list mean that lists are rare.
      sorted = undefined;
      touched.clear();
    },
    after(id, limit) {
      const ids = sortedIds();
      const start = id === undefined ? 0 : firstAfter(ids, id);
      return ids.slice(start, start + limit);
    },
  };
}

/** Applies changes to sorted ids. The long stretches between the changes are copied as a whole. */
function merge(
  sorted: readonly string[],
  touched: ReadonlySet<string>,
  rows: ReadonlyMap<string, unknown>,
): string[] {
  const stretches: string[][] = [];
  let copied = 0;
  for (const id of [...touched].sort(byCodePoint)) {
    const end = firstAfter(sorted, id);
    const existed = sorted[end - 1] === id;
    stretches.push(sorted.slice(copied, existed ? end - 1 : end));
    if (rows.has(id)) stretches.push([id]);
    copied = end;
  }
  stretches.push(sorted.slice(copied));
  return stretches.flat();
}

/** Finds the index of the first id after the given one, by binary search. */
function firstAfter(sorted: readonly string[], id: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byCodePoint(sorted[middle] ?? "", id) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Compares like the UTF-8 bytes of a SQL database. JavaScript's own order is wrong for surrogates.
 */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = rankOf(a.charCodeAt(i)) - rankOf(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** A surrogate belongs to a character that sorts after all characters without surrogates. */
function rankOf(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit;
}
