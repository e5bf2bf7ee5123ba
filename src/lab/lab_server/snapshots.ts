import type { Row, Store } from "../../server/store/store.ts";

const pageSize = 1000;

/** A row, and where it is. */
interface StoredRowAt {
  kind: string;
  id: string;
  row: Row;
}

/** A store that can return to what it held. */
export interface RestorableStore extends Store {
  /** Returns all rows of the kinds that were used so far. */
  capture(): Promise<readonly StoredRowAt[]>;
  /** Returns to captured rows. Rows of a kind that was never used stay. */
  restore(rows: readonly StoredRowAt[]): Promise<void>;
}

/** Makes a store restorable. A store cannot list its kinds, so every use of one is remembered. */
export function createRestorableStore(
  store: Store,
  onWrite: (kind: string, id: string) => void = () => {},
): RestorableStore {
  const kinds = new Set<string>();
  const used = (kind: string) => {
    kinds.add(kind);
    return store;
  };

  const written = (kind: string, id: string) => {
    onWrite(kind, id);
    return used(kind);
  };

  async function capture(): Promise<StoredRowAt[]> {
    const rows = await Promise.all([...kinds].map((kind) => listAll(store, kind)));
    return rows.flat();
  }

  // Without `now`: the clock of a lab is set by its tests.
  return {
    ...store.name !== undefined && { name: store.name },
    get: (kind, id) => used(kind).get(kind, id),
    put: (kind, id, row, condition) => written(kind, id).put(kind, id, row, condition),
    add: (kind, id, row) => written(kind, id).add(kind, id, row),
    consume: (kind, id, at, keepUntil) => used(kind).consume(kind, id, at, keepUntil),
    delete: (kind, id) => used(kind).delete(kind, id),
    list: (kind, options) => used(kind).list(kind, options),
    sweep: (before, limit) => store.sweep(before, limit),
    close: () => store.close(),
    capture,
    async restore(rows) {
      for (const { kind, id } of await capture()) await store.delete(kind, id);
      for (const { kind, id, row } of rows) await store.put(kind, id, row);
    },
  };
}

async function listAll(store: Store, kind: string): Promise<StoredRowAt[]> {
  const all: StoredRowAt[] = [];
  for (let after: string | undefined, page;;) {
    page = await store.list(kind, { after, limit: pageSize });
    all.push(...page.map(([id, row]) => ({ kind, id, row })));
    if (page.length < pageSize) return all;
    after = page.at(-1)?.[0];
  }
}
