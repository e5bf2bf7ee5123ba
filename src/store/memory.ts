import { createExpiryQueue } from "./expiry_queue.ts";
import { createOrderedIds, type OrderedIds } from "./ordered_ids.ts";
import { defaultSweep, type ListOptions, type Row, type Store } from "./store.ts";

/** A row with its value as JSON, so that reading returns a copy, as in every other store. */
interface StoredRow {
  json: string;
  expiresAt: number;
  usedAt?: number | undefined;
}

/** The rows of one kind. */
interface MemoryTable {
  rows: Map<string, StoredRow>;
  ids: OrderedIds;
}

/** Creates a store in this process. Every method is synchronous inside, which makes it atomic. */
export function memoryStore(): Store {
  const tables = new Map<string, MemoryTable>();
  const expiries = createExpiryQueue();

  function tableOf(kind: string): MemoryTable {
    const existing = tables.get(kind);
    if (existing) return existing;
    const rows = new Map<string, StoredRow>();
    const table = { rows, ids: createOrderedIds(rows) };
    tables.set(kind, table);
    return table;
  }

  function write(kind: string, id: string, { value, expiresAt, usedAt }: Row): void {
    const { rows, ids } = tableOf(kind);
    const previous = rows.get(id);
    if (!previous) ids.add(id);
    if (previous?.expiresAt !== expiresAt) expiries.push({ kind, id, expiresAt });
    rows.set(id, { json: JSON.stringify(value), expiresAt, usedAt });
  }

  function remove(kind: string, id: string): void {
    const { rows, ids } = tableOf(kind);
    if (rows.delete(id)) ids.delete(id);
  }

  return {
    name: "memory",
    get: async (kind, id) => {
      const stored = tables.get(kind)?.rows.get(id);
      return stored && toRow(stored);
    },
    put: async (kind, id, row) => write(kind, id, row),
    add: async (kind, id, row) => {
      if (tableOf(kind).rows.has(id)) return false;
      write(kind, id, row);
      return true;
    },
    consume: async (kind, id, at, keepUntil) => {
      const stored = tables.get(kind)?.rows.get(id);
      if (!stored || stored.usedAt !== undefined) return false;
      stored.usedAt = at;
      stored.expiresAt = keepUntil;
      expiries.push({ kind, id, expiresAt: keepUntil });
      return true;
    },
    delete: async (kind, id) => remove(kind, id),
    list: async (kind, options) => listTable(tableOf(kind), options),
    size: async () => ({
      rows: [...tables.values()].reduce((sum, { rows }) => sum + rows.size, 0),
    }),
    sweep: async (before, limit = defaultSweep) => {
      let deleted = 0;
      while (deleted < limit) {
        const expired = expiries.take(before);
        if (!expired) break;
        const { kind, id, expiresAt } = expired;
        // A row whose expiry changed since has another entry in the queue.
        if (tables.get(kind)?.rows.get(id)?.expiresAt !== expiresAt) continue;
        remove(kind, id);
        deleted++;
      }
      return deleted;
    },
    close: async () => tables.clear(),
  };
}

function toRow({ json, expiresAt, usedAt }: StoredRow): Row {
  return { value: JSON.parse(json), expiresAt, ...usedAt !== undefined && { usedAt } };
}

function listTable(
  { rows, ids }: MemoryTable,
  options: ListOptions = {},
): Array<[id: string, row: Row]> {
  return ids.list(options).flatMap((id) => {
    const stored = rows.get(id);
    return stored ? [[id, toRow(stored)]] : [];
  });
}
