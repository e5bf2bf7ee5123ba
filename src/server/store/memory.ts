import { withBatch } from "./batch.ts";
import {
  type BatchedMethod,
  type BatchedResult,
  byCodePoint,
  defaultPage,
  defaultSweep,
  type ListOptions,
  type PutCondition,
  type Row,
  type Store,
} from "./store.ts";

/** A row with its value as JSON, so that reading returns a copy, as in every other store. */
interface StoredRow {
  json: string;
  expiresAt: number;
  usedAt: number | undefined;
}

/**
 * Creates a store in this process. Every method is synchronous inside, which makes it atomic. A
 * list or a sweep of 100,000 rows takes a few milliseconds, so nothing keeps an order between them.
 */
export function memoryStore(): Store {
  const tables = new Map<string, Map<string, StoredRow>>();

  function tableOf(kind: string): Map<string, StoredRow> {
    const table = tables.get(kind) ?? new Map<string, StoredRow>();
    tables.set(kind, table);
    return table;
  }

  function isStored(kind: string, id: string, { value, expiresAt, usedAt }: Row): boolean {
    const stored = tableOf(kind).get(id);
    return stored?.json === JSON.stringify(value) && stored.expiresAt === expiresAt &&
      stored.usedAt === usedAt;
  }

  const rows = {
    get(kind: string, id: string): Row | undefined {
      const stored = tables.get(kind)?.get(id);
      return stored && toRow(stored);
    },
    put(kind: string, id: string, row: Row, { replaces }: PutCondition = {}): boolean {
      if (replaces && !isStored(kind, id, replaces)) return false;
      tableOf(kind).set(id, toStored(row));
      return true;
    },
    add(kind: string, id: string, row: Row): boolean {
      if (tableOf(kind).has(id)) return false;
      tableOf(kind).set(id, toStored(row));
      return true;
    },
    consume(kind: string, id: string, at: number, keepUntil: number): boolean {
      const stored = tables.get(kind)?.get(id);
      if (!stored || stored.usedAt !== undefined) return false;
      stored.usedAt = at;
      stored.expiresAt = keepUntil;
      return true;
    },
    delete: (kind: string, id: string) => void tables.get(kind)?.delete(id),
    list: (kind: string, options?: ListOptions) => listRows(tableOf(kind), options),
  };
  const store: Store = {
    name: "memory",
    get: async (...args) => rows.get(...args),
    put: async (...args) => rows.put(...args),
    add: async (...args) => rows.add(...args),
    consume: async (...args) => rows.consume(...args),
    delete: async (...args) => rows.delete(...args),
    list: async (...args) => rows.list(...args),
    size: async () => ({ rows: [...tables.values()].reduce((sum, { size }) => sum + size, 0) }),
    sweep: async (before, limit = defaultSweep) => {
      let deleted = 0;
      for (const rows of tables.values()) {
        for (const [id, { expiresAt }] of rows) {
          if (deleted >= limit) return deleted;
          if (expiresAt < before && rows.delete(id)) deleted++;
        }
      }
      return deleted;
    },
    close: async () => tables.clear(),
  };
  // Each is done when it returns.
  const methods = rows as Record<BatchedMethod, (...args: readonly unknown[]) => BatchedResult>;
  return withBatch(store, async (calls) => calls.map(([name, ...args]) => methods[name](...args)));
}

function toStored({ value, expiresAt, usedAt }: Row): StoredRow {
  return { json: JSON.stringify(value), expiresAt, usedAt };
}

function toRow({ json, expiresAt, usedAt }: StoredRow): Row {
  const value = JSON.parse(json);
  return usedAt === undefined ? { value, expiresAt } : { value, expiresAt, usedAt };
}

function listRows(
  rows: ReadonlyMap<string, StoredRow>,
  { after, before, limit = defaultPage }: ListOptions = {},
): Array<[id: string, row: Row]> {
  let ids: string[] = [];
  let end = before;
  for (const id of rows.keys()) {
    if (end !== undefined && byCodePoint(id, end) >= 0) continue;
    if (after !== undefined && byCodePoint(id, after) <= 0) continue;
    ids.push(id);
    if (ids.length < 2 * limit) continue;
    // Enough for this page: only ids before its last one can still belong to it.
    ids = ids.sort(byCodePoint).slice(0, limit);
    end = ids.at(-1);
  }
  const page = ids.sort(byCodePoint).slice(0, limit);
  return page.map((id) => [id, toRow(rows.get(id) as StoredRow)]);
}
