import { createExpiryQueue } from "./expiry_queue.ts";
import { createOrderedIds, type OrderedIds } from "./ordered_ids.ts";
import { defaultSweep, type ListOptions, type Row, type Store } from "./store.ts";

/** A row with its value as JSON, so that reading returns a copy, as in every other store. */
interface StoredRow {
  kind: string;
  id: string;
  json: string;
  /** Never changes, because the row is in the queue of expiries. */
  readonly expiresAt: number;
  usedAt: number | undefined;
}

/** The rows of one kind. */
interface MemoryTable {
  rows: Map<string, StoredRow>;
  ids: OrderedIds;
}

/** Creates a store in this process. Every method is synchronous inside, which makes it atomic. */
export function memoryStore(): Store {
  const tables = new Map<string, MemoryTable>();
  const expiries = createExpiryQueue<StoredRow>();

  function tableOf(kind: string): MemoryTable {
    const existing = tables.get(kind);
    if (existing) return existing;
    const rows = new Map<string, StoredRow>();
    const table = { rows, ids: createOrderedIds(rows) };
    tables.set(kind, table);
    return table;
  }

  function write(row: StoredRow): void {
    const { rows, ids } = tableOf(row.kind);
    const previous = rows.get(row.id);
    if (previous?.expiresAt === row.expiresAt) {
      Object.assign(previous, row);
      return;
    }
    if (previous) forgetValue(previous);
    else ids.add(row.id);
    rows.set(row.id, row);
    expiries.push(row);
  }

  function remove(kind: string, id: string): void {
    const { rows, ids } = tableOf(kind);
    const row = rows.get(id);
    if (!row) return;
    forgetValue(row);
    rows.delete(id);
    ids.delete(id);
  }

  function isStored(kind: string, id: string, { value, expiresAt, usedAt }: Row): boolean {
    const stored = tables.get(kind)?.rows.get(id);
    return stored?.json === JSON.stringify(value) && stored.expiresAt === expiresAt &&
      stored.usedAt === usedAt;
  }

  return {
    name: "memory",
    get: async (kind, id) => {
      const stored = tables.get(kind)?.rows.get(id);
      return stored && toRow(stored);
    },
    put: async (kind, id, row, { replaces } = {}) => {
      if (replaces && !isStored(kind, id, replaces)) return false;
      write(toStored(kind, id, row));
      return true;
    },
    add: async (kind, id, row) => {
      if (tableOf(kind).rows.has(id)) return false;
      write(toStored(kind, id, row));
      return true;
    },
    consume: async (kind, id, at, keepUntil) => {
      const stored = tables.get(kind)?.rows.get(id);
      if (!stored || stored.usedAt !== undefined) return false;
      write({ ...stored, usedAt: at, expiresAt: keepUntil });
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
        const { kind, id } = expired;
        // It may have been replaced or deleted since.
        if (tables.get(kind)?.rows.get(id) !== expired) continue;
        remove(kind, id);
        deleted++;
      }
      return deleted;
    },
    close: async () => tables.clear(),
  };
}

/** A row that was replaced or deleted stays in the queue of expiries until it is due. */
function forgetValue(row: StoredRow): void {
  row.json = "";
}

function toStored(kind: string, id: string, { value, expiresAt, usedAt }: Row): StoredRow {
  return { kind, id, json: JSON.stringify(value), expiresAt, usedAt };
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
