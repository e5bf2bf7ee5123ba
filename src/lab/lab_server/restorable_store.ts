import { makeCalls, withBatch } from "../../server/store/batch.ts";
import type { BatchedCall, BatchedResult, Row, Store } from "../../server/store/store.ts";

const pageSize = 1000;

export interface StoredRowAt {
  kind: string;
  id: string;
  row: Row;
}

export interface RestorableStore extends Store {
  /** Returns all rows of the kinds that were used so far. */
  everything(): Promise<readonly StoredRowAt[]>;
  /** Returns to the rows of some time. Rows of a kind that was never used stay. */
  restore(rows: readonly StoredRowAt[]): Promise<void>;
  /** Deletes all rows, except for those of some kinds. */
  empty(keptKinds: readonly string[]): Promise<void>;
}

/**
 * Makes a store restorable. A store cannot list its kinds, so every use of one is remembered.
 * `onWrite` learns of each row that is written.
 */
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

  function batch(calls: readonly BatchedCall[]): Promise<BatchedResult[]> {
    for (const [method, kind, id] of calls) {
      if (method === "put" || method === "add") onWrite(kind, id);
      used(kind);
    }
    return makeCalls(store, calls);
  }

  async function rowsOf(some: Iterable<string>): Promise<StoredRowAt[]> {
    const rows = [...some].map(async (kind) =>
      (await listAll(store, kind)).map(([id, row]) => ({ kind, id, row }))
    );
    return (await Promise.all(rows)).flat();
  }

  // Without `now`: the clock of a lab is set by its tests.
  const restorable: RestorableStore = {
    ...store.name !== undefined && { name: store.name },
    get: (kind, id) => used(kind).get(kind, id),
    put: (kind, id, ...rest) => written(kind, id).put(kind, id, ...rest),
    add: (kind, id, row) => written(kind, id).add(kind, id, row),
    consume: (kind, id, ...rest) => used(kind).consume(kind, id, ...rest),
    delete: (kind, id) => used(kind).delete(kind, id),
    list: (kind, options) => used(kind).list(kind, options),
    sweep: (before, limit) => store.sweep(before, limit),
    close: () => store.close(),
    everything: () => rowsOf(kinds),
    async restore(rows) {
      for (const { kind, id } of await rowsOf(kinds)) await store.delete(kind, id);
      for (const { kind, id, row } of rows) await store.put(kind, id, row);
    },
    async empty(keptKinds) {
      const kept = await rowsOf(keptKinds);
      // By this time every row has expired.
      while (await store.sweep(Number.MAX_SAFE_INTEGER) > 0);
      await Promise.all(kept.map(({ kind, id, row }) => store.put(kind, id, row)));
    },
  };
  withBatch(restorable, batch);
  return restorable;
}

async function listAll(store: Store, kind: string): Promise<Array<[id: string, row: Row]>> {
  const all: Array<[string, Row]> = [];
  for (let after: string | undefined, page;;) {
    page = await store.list(kind, { after, limit: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
    after = page.at(-1)?.[0];
  }
}
