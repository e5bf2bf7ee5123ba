import type { BatchedResult, Row, Store } from "../../store/store.ts";
import { unreadable } from "../../store/store_errors.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { day } from "../../util/time/duration.ts";
import {
  endOf,
  entriesOf,
  type ListedRow,
  makeTableCall,
  pageOf,
  pagesOf,
  type TableCall,
} from "./store_calls.ts";

/** The last instant of a `Date`, for rows that end only when they are deleted. */
export const forever = 100_000_000 * day * 1000;

/** What can be done with the rows of one kind. Times are milliseconds. */
export interface TableCalls<T> {
  /** Returns the value of a row, used or not. */
  find(id: string): TableCall<T | undefined>;
  /** Returns the row itself, which shows whether it was used. */
  get(id: string): TableCall<Row<T> | undefined>;
  /** Returns the row even if it expired, for a rule that decides about its time. */
  getStored(id: string): TableCall<Row<T> | undefined>;
  /** Writes a row. Use `replace` for a row that another request may change at the same time. */
  put(id: string, value: T, expiresAt: number): TableCall<void>;
  /** Replaces a row as it was read. Returns false if it has changed or was deleted since. */
  replace(id: string, before: Row<T>, value: T, expiresAt?: number): TableCall<boolean>;
  /** Writes a row unless one exists. Returns true to exactly one caller. */
  add(id: string, value: T, expiresAt: number): TableCall<boolean>;
  /** Marks a row as used, and keeps it until `keepUntil`. Returns true to exactly one caller. */
  consume(id: string, keepUntil: number): TableCall<boolean>;
  delete(id: string): TableCall<void>;
  /** Lists the rows whose ids begin with a prefix, or all. */
  list(prefix?: string): TableCall<Array<[id: string, value: T]>>;
}

/** The same methods, each of which makes its call. */
type MadeCalls<Calls> = {
  [Name in keyof Calls]: Calls[Name] extends (...args: infer Args) => TableCall<infer Result>
    ? (...args: Args) => Promise<Result>
    : never;
};

/** The rows of one kind. Only `getStored` returns expired ones. */
export interface Table<T> extends MadeCalls<TableCalls<T>> {
  /**
   * Yields the rows that `list` returns a page at a time, for large tables, beginning after a text.
   * Other work continues in the meantime.
   */
  pages(prefix?: string, after?: string): AsyncGenerator<Array<[id: string, value: T]>>;
  /** Yields them one by one. */
  each(prefix?: string, after?: string): AsyncGenerator<[id: string, value: T]>;
  /** Lists the rows whose ids come after a text, which need not be an id. */
  listAfter(text: string): Promise<Array<[id: string, value: T]>>;
  /** The calls of the methods, to be made together with others by `Records.batch`. */
  readonly calls: TableCalls<T>;
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
  const { calls, put, add } = table;
  return {
    ...table,
    put: (id, value, expiresAt) => put(id, value, expiresAt + margin),
    add: (id, value, expiresAt) => add(id, value, expiresAt + margin),
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

function createTable<T>(source: TableSource<T>): Table<T> {
  const { store, kind } = source;

  const pages = (prefix = "", start = prefix) =>
    pagesOf(store, kind, { prefix, start }, (row) => listedRow(source, row, prefix));

  async function list(prefix?: string, after?: string): Promise<Array<[string, T]>> {
    const rows: Array<[string, T]> = [];
    for await (const page of pages(prefix, after)) rows.push(...page);
    return rows;
  }

  const make =
    <Args extends unknown[], Result>(callFor: (...args: Args) => TableCall<Result>) =>
    (...args: Args) => makeTableCall(store, callFor(...args));
  const calls = createCalls(source, list);
  return {
    find: make(calls.find),
    get: make(calls.get),
    getStored: make(calls.getStored),
    put: make(calls.put),
    replace: make(calls.replace),
    add: make(calls.add),
    consume: make(calls.consume),
    delete: make(calls.delete),
    list: (prefix) => list(prefix),
    listAfter: (text) => list("", text),
    pages,
    each: (prefix, after) => entriesOf(pages(prefix, after)),
    calls,
  };
}

/** Returns a row, expired or not. */
function storedRow<T>(
  { kind, isReadable }: TableSource<T>,
  result: BatchedResult,
): Row<T> | undefined {
  // Only its table writes rows of a kind, so they have its type.
  const row = result as Row<T> | undefined;
  const hasForm = !row || !isReadable || row.value !== null && isReadable(row.value);
  if (!hasForm) throw unreadable(`a row of the kind '${kind}'`);
  return row;
}

/** Returns a row unless it expired: then it may have any form. */
function currentRow<T>(source: TableSource<T>, result: BatchedResult): Row<T> | undefined {
  const row = result as Row | undefined;
  const hasExpired = row !== undefined && row.expiresAt <= source.now();
  return hasExpired ? undefined : storedRow(source, row);
}

/** Returns a listed row, unless it expired. A store that ignores `before` lists too many. */
function listedRow<T>(
  source: TableSource<T>,
  [id, result]: ListedRow,
  prefix: string,
): Array<[id: string, value: T]> {
  const row = currentRow(source, result);
  return row && id.startsWith(prefix) ? [[id, row.value]] : [];
}

function createCalls<T>(
  source: TableSource<T>,
  listFrom: (prefix: string, after: string) => Promise<Array<[string, T]>>,
): TableCalls<T> {
  const { kind, now, storedId } = source;
  return {
    find: (id) => ({
      call: ["get", kind, storedId(id)],
      resultOf: (result) => currentRow(source, result)?.value,
    }),
    get: (id) => ({
      call: ["get", kind, storedId(id)],
      resultOf: (result) => currentRow(source, result),
    }),
    getStored: (id) => ({
      call: ["get", kind, storedId(id)],
      resultOf: (result) => storedRow(source, result),
    }),
    put: (id, value, expiresAt) => ({
      call: ["put", kind, storedId(id), { value, expiresAt }],
      resultOf: () => {},
    }),
    replace: (id, replaces, value, expiresAt = replaces.expiresAt) => ({
      call: ["put", kind, storedId(id), { ...replaces, value, expiresAt }, { replaces }],
      resultOf: wasWritten,
    }),
    add: (id, value, expiresAt) => ({
      call: ["add", kind, storedId(id), { value, expiresAt }],
      resultOf: (result) => result === true,
    }),
    consume: (id, keepUntil) => ({
      call: ["consume", kind, storedId(id), now(), keepUntil],
      resultOf: (result) => result === true,
    }),
    delete: (id) => ({ call: ["delete", kind, storedId(id)], resultOf: () => {} }),
    list: (prefix = "") => ({
      call: ["list", kind, pageOf(prefix, prefix)],
      resultOf(result) {
        const page = Array.isArray(result) ? result : [];
        const end = endOf(page);
        const rows = page.flatMap((row) => listedRow(source, row, prefix));
        if (end === undefined) return rows;
        return listFrom(prefix, end).then((others) => [...rows, ...others]);
      },
    }),
  };
}

/** A `put` with a condition returns whether it wrote, which a store of an embedder may forget. */
function wasWritten(result: BatchedResult): boolean {
  if (typeof result === "boolean") return result;
  throw new Error("The `put` of this store does not return whether it wrote: see storeContract.");
}
