import type { BatchedCall, BatchedMethod, BatchedResult, Row, Store } from "../../store/store.ts";
import { unreadable } from "../../store/store_errors.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { day } from "../../util/time/duration.ts";
import { isPromise } from "../../util/time/promises.ts";
import {
  endOf,
  entriesOf,
  type ListedRow,
  makeTableCall,
  mapCall,
  mapPages,
  pageOf,
  pagesOf,
  type TableCall,
} from "./store_calls.ts";

/** The last instant of a `Date`, for rows that end only when they are deleted. */
export const forever = 100_000_000 * day * 1000;

/** The rows of one kind. Times are milliseconds; only `getStored` returns expired rows. */
export interface Table<T> {
  /** Returns the value of a row, used or not. */
  find(id: string): Promise<T | undefined>;
  /** Returns the row itself, which shows whether it was used. */
  get(id: string): Promise<Row<T> | undefined>;
  /** Returns the row even if it expired, for a rule that decides about its time. */
  getStored(id: string): Promise<Row<T> | undefined>;
  /** Writes a row. Use `replace` for a row that another request may change at the same time. */
  put(id: string, value: T, expiresAt: number): Promise<void>;
  /** Replaces a row as it was read. Returns false if it has changed or was deleted since. */
  replace(id: string, before: Row<T>, value: T, expiresAt?: number): Promise<boolean>;
  /** Writes a row unless one exists. Returns true to exactly one caller. */
  add(id: string, value: T, expiresAt: number): Promise<boolean>;
  /** Marks a row as used, and keeps it until `keepUntil`. Returns true to exactly one caller. */
  consume(id: string, keepUntil: number): Promise<boolean>;
  delete(id: string): Promise<void>;
  /** Lists the rows whose ids begin with a prefix, or all. */
  list(prefix?: string): Promise<Array<[id: string, value: T]>>;
  /**
   * Yields the same rows a page at a time, for large tables, beginning after a text. Other work
   * continues in the meantime.
   */
  pages(prefix?: string, after?: string): AsyncGenerator<Array<[id: string, value: T]>>;
  /** Yields them one by one. */
  each(prefix?: string, after?: string): AsyncGenerator<[id: string, value: T]>;
  /** Lists the rows whose ids come after a text, which need not be an id. */
  listAfter(text: string): Promise<Array<[id: string, value: T]>>;
  /** The same calls, to be made together with others by `Records.batch`. */
  readonly calls: TableCalls<T>;
}

/** The calls of a table that can be made together with others. */
export interface TableCalls<T> {
  get(id: string): TableCall<Row<T> | undefined>;
  getStored(id: string): TableCall<Row<T> | undefined>;
  put(id: string, value: T, expiresAt: number): TableCall<void>;
  add(id: string, value: T, expiresAt: number): TableCall<boolean>;
  consume(id: string, keepUntil: number): TableCall<boolean>;
  delete(id: string): TableCall<void>;
  list(prefix?: string): TableCall<Array<[id: string, value: T]>>;
}

/** Whether a value has the form that this version reads. */
export type IsReadable<T> = (value: T) => boolean;

/** Creates a table whose ids are not secret. */
export function plainTable<T>(
  store: Store,
  kind: string,
  now: () => number,
  isReadable?: IsReadable<T>,
): Table<T> {
  return createTable({ store, kind, now, isReadable, storedId: (id) => id });
}

/**
 * Creates a table whose ids are bearer secrets: only their SHA-256 is stored. `hash` computes it,
 * and may remember results.
 */
export function secretTable<T>(
  store: Store,
  kind: string,
  now: () => number,
  isReadable?: IsReadable<T>,
  hash = sha256,
): Table<T> {
  return createTable({ store, kind, now, isReadable, storedId: hash });
}

/**
 * Keeps marks that something was used or revoked for longer than they matter, by a margin in
 * milliseconds. If the clock was ahead and is set back, a mark that was swept meanwhile would make
 * a used credential valid again.
 */
export function withMargin<T>(table: Table<T>, margin: number): Table<T> {
  const { calls } = table;
  return {
    ...table,
    put: (id, value, expiresAt) => table.put(id, value, expiresAt + margin),
    add: (id, value, expiresAt) => table.add(id, value, expiresAt + margin),
    calls: {
      ...calls,
      put: (id, value, expiresAt) => calls.put(id, value, expiresAt + margin),
      add: (id, value, expiresAt) => calls.add(id, value, expiresAt + margin),
    },
  };
}

/** The rows of a table, and the clock that decides which of them have expired. */
interface TableSource<T> {
  store: Store;
  kind: string;
  now: () => number;
  isReadable: IsReadable<T> | undefined;
  /** Returns the id under which a row is stored: of a secret, it is a hash. */
  storedId: typeof sha256;
}

function createTable<T>(
  { store, kind, now, isReadable, storedId }: TableSource<T>,
): Table<T> {
  function readable(stored: BatchedResult): Row<T> | undefined {
    const row = stored as Row<T> | undefined;
    if (row && isReadable?.(row.value) === false) throw unreadable(`a row of the kind '${kind}'`);
    return row;
  }

  /** Returns a row unless it expired. */
  function current(stored: BatchedResult): Row<T> | undefined {
    const row = stored as Row<T> | undefined;
    return row && row.expiresAt > now() ? readable(row) : undefined;
  }

  /** Returns a listed row, unless it expired. A store that ignores `before` lists too many. */
  function present([id, stored]: ListedRow, prefix: string): Array<[id: string, value: T]> {
    const row = current(stored);
    return row && id.startsWith(prefix) ? [[id, row.value]] : [];
  }

  function pages(prefix = "", after = prefix): AsyncGenerator<Array<[string, T]>> {
    return mapPages(pagesOf(store, kind, prefix, after), (listed) => present(listed, prefix));
  }

  async function list(prefix?: string, after?: string): Promise<Array<[string, T]>> {
    const rows: Array<[string, T]> = [];
    for await (const page of pages(prefix, after)) rows.push(...page);
    return rows;
  }

  /** Plans the call of a method for a row. */
  function plan(method: BatchedMethod, id: string, ...args: unknown[]): TableCall<T>["call"] {
    const callFor = (rowId: string) => [method, kind, rowId, ...args] as BatchedCall;
    const planned = storedId(id);
    return isPromise(planned) ? planned.then(callFor) : callFor(planned);
  }

  const wasDone = (isDone: BatchedResult) => isDone as boolean;

  const calls: TableCalls<T> = {
    getStored: (id) => ({ call: plan("get", id), resultOf: readable }),
    get: (id) => ({ call: plan("get", id), resultOf: current }),
    put: (id, value, expiresAt) => ({
      call: plan("put", id, { value, expiresAt }),
      resultOf: () => {},
    }),
    add: (id, value, expiresAt) => ({
      call: plan("add", id, { value, expiresAt }),
      resultOf: wasDone,
    }),
    consume: (id, keepUntil) => ({
      call: plan("consume", id, now(), keepUntil),
      resultOf: wasDone,
    }),
    delete: (id) => ({
      call: plan("delete", id),
      resultOf: () => {},
    }),
    list: (prefix = "") => ({
      call: ["list", kind, pageOf(prefix, prefix)],
      resultOf(stored) {
        const page = stored as ListedRow[];
        const end = endOf(page);
        const rows = page.flatMap((listed) => present(listed, prefix));
        if (end === undefined) return rows;
        return list(prefix, end).then((others) => [...rows, ...others]);
      },
    }),
  };

  return {
    get: (id) => makeTableCall(store, calls.get(id)),
    getStored: (id) => makeTableCall(store, calls.getStored(id)),
    find: (id) => makeTableCall(store, mapCall(calls.get(id), (row) => row?.value)),
    put: (...args) => makeTableCall(store, calls.put(...args)),
    replace: async (id, replaces, value, expiresAt = replaces.expiresAt) => {
      const row = { ...replaces, value, expiresAt };
      const call = plan("put", id, row, { replaces });
      const written = await makeTableCall(store, { call, resultOf: (stored) => stored });
      if (typeof written === "boolean") return written;
      throw new Error(
        "The `put` of this store does not return whether it wrote: see storeContract.",
      );
    },
    add: (...args) => makeTableCall(store, calls.add(...args)),
    consume: (...args) => makeTableCall(store, calls.consume(...args)),
    delete: (id) => makeTableCall(store, calls.delete(id)),
    pages,
    each: (prefix, after) => entriesOf(pages(prefix, after)),
    list: (prefix) => list(prefix),
    listAfter: (text) => list("", text),
    calls,
  };
}
