/** The ids of the rows of one kind, in order. They are sorted when a list is asked for, not when a row comes or goes. */
export interface OrderedIds {
  /** Notes that a row came or went. */
  touch(id: string): void;
  /** The next ids after one of them, or the first ones. */
  after(id: string | undefined, limit: number): string[];
}

export function createOrderedIds(rows: ReadonlyMap<string, unknown>): OrderedIds {
  let sorted: string[] | undefined;
  const touched = new Set<string>();

  function bringUpToDate(): string[] {
    sorted = sorted ? merge(sorted, touched, rows) : [...rows.keys()].sort(byCodePoint);
    touched.clear();
    return sorted;
  }

  return {
    touch(id) {
      if (!sorted) return;
      touched.add(id);
      if (touched.size <= maxTouched) return;
      // These rows are hardly ever listed.
      sorted = undefined;
      touched.clear();
    },
    after(id, limit) {
      const ids = sorted && touched.size === 0 ? sorted : bringUpToDate();
      const start = id === undefined ? 0 : firstAfter(ids, id);
      return ids.slice(start, start + limit);
    },
  };
}

/** More changes than this are cheaper to sort anew, and would take memory meanwhile. */
const maxTouched = 10_000;

/** The same ids without those that went and with those that came: long stretches between them are copied as they are. */
function merge(
  sorted: readonly string[],
  touched: ReadonlySet<string>,
  rows: ReadonlyMap<string, unknown>,
): string[] {
  const stretches: string[][] = [];
  let copied = 0;
  for (const id of [...touched].sort(byCodePoint)) {
    const end = firstAfter(sorted, id);
    const wasThere = sorted[end - 1] === id;
    stretches.push(sorted.slice(copied, wasThere ? end - 1 : end));
    if (rows.has(id)) stretches.push([id]);
    copied = end;
  }
  return ([] as string[]).concat(...stretches, sorted.slice(copied));
}

/** Where the ids after a given one begin; a binary search. */
function firstAfter(sorted: readonly string[], after: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byCodePoint(sorted[middle], after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** As SQL databases compare bytes of UTF-8. JavaScript alone would compare surrogates, which come out of order. */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = rankOf(a.charCodeAt(at)) - rankOf(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Half of a surrogate pair stands for a character that comes after all that need no pair. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
