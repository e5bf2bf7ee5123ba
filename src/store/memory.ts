import { createExpiryQueue } from "./expiry_queue.ts";
import { createOrderedIds, type OrderedIds } from "./ordered_ids.ts";
import { defaultPage, defaultSweep, type ListOptions, type Row, type Store } from "./store.ts";

/** A row as it is held: its value is JSON text, so that what is read is a copy, as in every other store. */
interface StoredRow {
  text: string;
  expiresAt: number;
  usedAt?: number;
}

/** The rows of one kind. */
interface MemoryTable {
  rows: Map<string, StoredRow>;
  ids: OrderedIds;
}

/** Keeps rows in this process. Every method runs to its end before another begins, which makes it atomic. */
export function memoryStore(): Store {
  const shelves = new Map<string, MemoryTable>();
  const expiries = createExpiryQueue();

  function shelfOf(kind: string): MemoryTable {
    const known = shelves.get(kind);
    if (known) return known;
    const rows = new Map<string, StoredRow>();
    const shelf = { rows, ids: createOrderedIds(rows) };
    shelves.set(kind, shelf);
    return shelf;
  }

  function write(kind: string, id: string, row: Row): void {
    const shelf = shelfOf(kind);
    const before = shelf.rows.get(id);
    if (!before) shelf.ids.touch(id);
    if (before?.expiresAt !== row.expiresAt) expiries.push({ kind, id, expiresAt: row.expiresAt });
    shelf.rows.set(id, {
      text: JSON.stringify(row.value),
      expiresAt: row.expiresAt,
      usedAt: row.usedAt,
    });
  }

  function remove(kind: string, id: string): void {
    const shelf = shelfOf(kind);
    if (shelf.rows.delete(id)) shelf.ids.touch(id);
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
    list: async (kind, page) => listTable(shelfOf(kind), page),
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

function toRow(held: StoredRow | undefined): Row | undefined {
  if (!held) return undefined;
  return {
    value: JSON.parse(held.text),
    expiresAt: held.expiresAt,
    ...held.usedAt !== undefined && { usedAt: held.usedAt },
  };
}

function listTable(
  { rows, ids }: MemoryTable,
  { after, limit = defaultPage }: ListOptions = {},
): Array<[string, Row]> {
  return ids.after(after, limit).map((id) => [id, toRow(rows.get(id))!]);
}
