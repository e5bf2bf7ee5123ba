import { makeCalls, withBatch } from "../../server/store/batch.ts";
import type { BatchedCall, BatchedResult, Row, Store } from "../../server/store/store.ts";
import { hour } from "../../server/util/time/duration.ts";
import { type ChangeHistory, mapAt, type Past } from "../recording/change_history.ts";

const pageSize = 1000;

/** A replay may find a row this long after it expired, in milliseconds. */
const expiredFor = 1 * hour * 1000;

/** A row, and where it is. */
interface StoredRowAt {
  kind: string;
  id: string;
  row: Row;
}

/** What a store holds, or held. */
export interface HeldRows {
  get(kind: string, id: string): Promise<Row | undefined>;
  /** Returns all rows of a kind. */
  all(kind: string): Promise<Array<[id: string, row: Row]>>;
  /** Returns all rows of the kinds that were used so far. */
  everything(): Promise<readonly StoredRowAt[]>;
}

/** A store that can return to what it held, and knows what it held. */
export interface RestorableStore extends Store {
  /** Returns what it held at an earlier time. What is written later does not change that. */
  at(past: Past): HeldRows;
  /** Called with the kind and the id of each row that is written. */
  readonly onWrite: StoreObservers["onWrite"];
  /** Returns to the rows of some time. Rows of a kind that was never used stay. */
  restore(rows: readonly StoredRowAt[]): Promise<void>;
  /** Deletes all rows, except for those of some kinds. */
  empty(keptKinds: readonly string[]): Promise<void>;
}

/** What learns of the changes of a store. */
export interface StoreObservers {
  history: ChangeHistory;
  /** Returns the earliest time of a replay. Rows that expired well before it may be deleted. */
  earliest?: (() => number) | undefined;
  onWrite?: ((kind: string, id: string) => void) | undefined;
}

/** Makes a store restorable. A store cannot list its kinds, so every use of one is remembered. */
export function createRestorableStore(
  store: Store,
  { history, earliest = () => Infinity, onWrite = () => {} }: StoreObservers,
): RestorableStore {
  const kinds = new Set<string>();
  const used = (kind: string) => {
    kinds.add(kind);
    return store;
  };

  /** Remembers a row, and then changes it. */
  async function change<T>(kind: string, id: string, run: () => Promise<T>): Promise<T> {
    const mark = history.mark();
    history.note(rowKind(kind), id, await used(kind).get(kind, id), { mark });
    return await run();
  }

  function write<T>(kind: string, id: string, run: () => Promise<T>): Promise<T> {
    onWrite(kind, id);
    return change(kind, id, run);
  }

  /** Remembers the rows that some calls change, and then makes the calls. */
  async function batch(calls: readonly BatchedCall[]): Promise<BatchedResult[]> {
    const mark = history.mark();
    const reads: Array<["get", kind: string, id: string]> = [];
    for (const [method, kind, id] of calls) {
      used(kind);
      if (method === "put" || method === "add") onWrite(kind, id);
      if (method !== "get" && method !== "list") reads.push(["get", kind, id]);
    }
    const rows = await makeCalls(store, reads);
    for (const [at, [, kind, id]] of reads.entries()) {
      history.note(rowKind(kind), id, rows[at], { mark });
    }
    return await makeCalls(store, calls);
  }

  function at(past: Past): HeldRows {
    async function all(kind: string): Promise<Array<[id: string, row: Row]>> {
      // What changes after this is in the history before.
      const rows = new Map(await listAll(store, kind));
      return [...mapAt(past, rowKind(kind), rows)];
    }
    return {
      async get(kind, id) {
        const row = await store.get(kind, id);
        const replaced = past.replaced<Row>(rowKind(kind));
        return replaced.has(id) ? replaced.get(id) : row;
      },
      all,
      async everything() {
        const rows = [...kinds].map(async (kind) =>
          (await all(kind)).map(([id, row]) => ({ kind, id, row }))
        );
        return (await Promise.all(rows)).flat();
      },
    };
  }

  // Without `now`: the clock of a lab is set by its tests.
  const restorable: RestorableStore = {
    ...store.name !== undefined && { name: store.name },
    get: (kind, id) => used(kind).get(kind, id),
    put: (kind, id, ...rest) => write(kind, id, () => store.put(kind, id, ...rest)),
    add: (kind, id, row) => write(kind, id, () => store.add(kind, id, row)),
    consume: (kind, id, ...rest) => change(kind, id, () => store.consume(kind, id, ...rest)),
    delete: (kind, id) => change(kind, id, () => store.delete(kind, id)),
    list: (kind, options) => used(kind).list(kind, options),
    sweep: (before, limit) => store.sweep(Math.min(before, earliest() - expiredFor), limit),
    close: () => store.close(),
    onWrite,
    at,
    async restore(rows) {
      for (const { kind, id } of await at(history.at(history.mark())).everything()) {
        await store.delete(kind, id);
      }
      for (const { kind, id, row } of rows) await store.put(kind, id, row);
    },
    async empty(keptKinds) {
      const kept = await Promise.all(
        keptKinds.map(async (kind) =>
          (await listAll(store, kind)).map(([id, row]) => ({ kind, id, row }))
        ),
      );
      // By this time every row has expired.
      while (await store.sweep(Number.MAX_SAFE_INTEGER) > 0);
      await Promise.all(kept.flat().map(({ kind, id, row }) => store.put(kind, id, row)));
    },
  };
  withBatch(restorable, batch);
  return restorable;
}

/** The kind of a row in the history of a lab, which has other things beside rows. */
function rowKind(kind: string): string {
  return `row ${kind}`;
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
