import { defaultPage, type ListOptions } from "./store.ts";

/** A longer piece of the order is cut in two, so that inserting an id moves few others. */
const maxPiece = 512;

/** The surrogates, and the code units after them. */
const highCodeUnits = /[\ud800-\uffff]/;

/** The ordered ids of one kind of rows. Until a kind is first listed, they cost nothing. */
export interface OrderedIds {
  /** Records that a row was added. */
  add(id: string): void;
  /** Records that a row was deleted, which was there. */
  delete(id: string): void;
  /** Returns the next ids of a range. */
  list(range: ListOptions): string[];
}

/** Creates the order of rows, which it reads once. */
export function createOrderedIds(rows: ReadonlyMap<string, unknown>): OrderedIds {
  let pieces: string[][] | undefined;
  return {
    add(id) {
      if (pieces) insert(pieces, id);
    },
    delete(id) {
      if (pieces) remove(pieces, id);
    },
    list(range) {
      pieces ??= cut([...rows.keys()].sort(byCodePoint));
      return idsInRange(pieces, range);
    },
  };
}

/** Cuts sorted ids into pieces, with room for more in each. */
function cut(sorted: readonly string[]): string[][] {
  const length = maxPiece / 2;
  const count = Math.ceil(sorted.length / length);
  return Array.from({ length: count }, (_, n) => sorted.slice(n * length, (n + 1) * length));
}

function insert(pieces: string[][], id: string): void {
  const at = pieceOf(pieces, id);
  const piece = pieces[at];
  if (!piece) {
    pieces.push([id]);
    return;
  }
  piece.splice(countUpTo(piece, id), 0, id);
  if (piece.length > maxPiece) pieces.splice(at, 1, ...cut(piece));
}

function remove(pieces: string[][], id: string): void {
  const at = pieceOf(pieces, id);
  const piece = pieces[at] ?? [];
  piece.splice(countUpTo(piece, id) - 1, 1);
  if (piece.length === 0) pieces.splice(at, 1);
}

function idsInRange(
  pieces: readonly string[][],
  { after, before, limit = defaultPage }: ListOptions,
): string[] {
  const found: string[] = [];
  let at = after === undefined ? 0 : pieceOf(pieces, after);
  let start = after === undefined ? 0 : countUpTo(pieces[at] ?? [], after);
  for (; at < pieces.length && found.length < limit; at++, start = 0) {
    const piece = pieces[at] ?? [];
    const page = piece.slice(start, start + limit - found.length);
    const end = before === undefined ? page.length : countBefore(page, before);
    found.push(...page.slice(0, end));
    if (end < page.length) break;
  }
  return found;
}

/** Finds the piece that an id is in, or would be. */
function pieceOf(pieces: readonly string[][], id: string): number {
  return Math.max(0, countWhile(pieces, ([first = ""]) => byCodePoint(first, id) <= 0) - 1);
}

/** Counts the sorted ids up to the given one, which may be among them. */
function countUpTo(ids: readonly string[], id: string): number {
  return countWhile(ids, (each) => byCodePoint(each, id) <= 0);
}

/** Counts the sorted ids before the given one. */
function countBefore(ids: readonly string[], id: string): number {
  return countWhile(ids, (each) => byCodePoint(each, id) < 0);
}

/** Counts the items that a condition holds for, which are the first ones, by binary search. */
function countWhile<T>(items: readonly T[], condition: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (condition(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Compares like the UTF-8 bytes of a SQL database. JavaScript's own order, which is much faster, is
 * wrong only between a surrogate and a code unit after the surrogates.
 */
export function byCodePoint(a: string, b: string): number {
  if (a === b) return 0;
  if (!highCodeUnits.test(a) || !highCodeUnits.test(b)) return a < b ? -1 : 1;
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
