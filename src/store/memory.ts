import { createExpiryQueue } from "./expiry_queue.ts";
import type { ListOptions, Row, Store } from "./store.ts";
import { defaultPage, defaultSweep } from "./store.ts";

/** A row as it is held: its value is JSON text, so that what is read is a copy, as in every other store. */
interface Held {
  text: string;
  expiresAt: number;
  usedAt?: number;
}

/** The rows of one kind. */
interface Shelf {
  rows: Map<string, Held>;
  /** The ids in order, once a list was asked for; dropped when an id comes or goes. */
  sorted?: string[];
}

/** Keeps rows in this process. Every method runs to its end before another begins, which makes it atomic. */
export function memoryStore(): Store {
  const shelves = new Map<string, Shelf>();
  const expiries = createExpiryQueue();

  function shelfOf(kind: string): Shelf {
    const shelf = shelves.get(kind) ?? { rows: new Map() };
    shelves.set(kind, shelf);
    return shelf;
  }

  function write(kind: string, id: string, row: Row): void {
    const shelf = shelfOf(kind);
    const before = shelf.rows.get(id);
    if (!before) shelf.sorted = undefined;
    if (before?.expiresAt !== row.expiresAt) expiries.push({ kind, id, expiresAt: row.expiresAt });
    shelf.rows.set(id, { text: JSON.stringify(row.value), expiresAt: row.expiresAt, usedAt: row.usedAt });
  }

  function remove(kind: string, id: string): void {
    const shelf = shelfOf(kind);
    if (shelf.rows.delete(id)) shelf.sorted = undefined;
  }

  return {
    name: "memory",
    get: async (kind, id) => toRow(shelves.get(kind)?.rows.get(id)),
    put: async (kind, id, row) => write(kind, id, row),
    add: async (kind, id, row) => {
      if (shelfOf(kind).rows.has(id)) return false;
      write(kind, id, row);
      return true;
    },
    consume: async (kind, id, at, keepUntil) => {
      const held = shelves.get(kind)?.rows.get(id);
      if (!held || held.usedAt !== undefined) return false;
      held.usedAt = at;
      held.expiresAt = keepUntil;
      expiries.push({ kind, id, expiresAt: keepUntil });
      return true;
    },
    delete: async (kind, id) => remove(kind, id),
    list: async (kind, page) => listShelf(shelfOf(kind), page),
    sweep: async (before, limit = defaultSweep) => {
      let swept = 0;
      while (swept < limit) {
        const due = expiries.take(before);
        if (!due) break;
        // A row that was given another end since stands in the queue once more.
        if (shelves.get(due.kind)?.rows.get(due.id)?.expiresAt !== due.expiresAt) continue;
        remove(due.kind, due.id);
        swept++;
      }
      return swept;
    },
    close: async () => shelves.clear(),
  };
}

function toRow(held: Held | undefined): Row | undefined {
  if (!held) return undefined;
  return { value: JSON.parse(held.text), expiresAt: held.expiresAt, ...held.usedAt !== undefined && { usedAt: held.usedAt } };
}

function listShelf(shelf: Shelf, { after, limit = defaultPage }: ListOptions = {}): Array<[string, Row]> {
  const sorted = shelf.sorted ??= sort(shelf);
  const start = after === undefined ? 0 : firstAfter(sorted, after);
  return sorted.slice(start, start + limit).map((id) => [id, toRow(shelf.rows.get(id))!]);
}

/** The rows are put in order as well: what comes later follows them, and next time there is little left to sort. */
function sort(shelf: Shelf): string[] {
  const sorted = [...shelf.rows.keys()].sort(byCodePoint);
  shelf.rows = new Map(sorted.map((id) => [id, shelf.rows.get(id)!]));
  return sorted;
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
