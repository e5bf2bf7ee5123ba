import { errorFactory } from "../../protocol/oauth_error.ts";
import { maxIdBytes, type Row, type Store } from "../../store/store.ts";
import { encodeUtf8 } from "../../util/bytes/utf8.ts";
import { sha256 } from "../../util/crypto/hash.ts";
import { day } from "../../util/time/duration.ts";
import { type ListedRow, pagesOf } from "./row_pages.ts";
import { unavailable } from "./unavailable.ts";
import { unreadable } from "./unreadable.ts";

const invalidRequest = errorFactory("invalid_request");

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
  return createTable({ store, kind, now, isReadable }, (id) => id);
}

/** Creates a table whose ids are bearer secrets: only their SHA-256 is stored. */
export function secretTable<T>(
  store: Store,
  kind: string,
  now: () => number,
  isReadable?: IsReadable<T>,
): Table<T> {
  return createTable({ store, kind, now, isReadable }, sha256);
}

/**
 * Keeps marks that something was used or revoked for longer than they matter, by a margin in
 * milliseconds. If the clock was ahead and is set back, a mark that was swept meanwhile would make
 * a used credential valid again.
 */
export function withMargin<T>(table: Table<T>, margin: number): Table<T> {
  return {
    ...table,
    put: (id, value, expiresAt) => table.put(id, value, expiresAt + margin),
    add: (id, value, expiresAt) => table.add(id, value, expiresAt + margin),
  };
}

/** The rows of a table, and the clock that decides which of them have expired. */
interface TableSource<T> {
  store: Store;
  kind: string;
  now: () => number;
  isReadable: IsReadable<T> | undefined;
}

function createTable<T>(
  { store, kind, now, isReadable = () => true }: TableSource<T>,
  storedId: (id: string) => string | Promise<string>,
): Table<T> {
  /** Calls the store with the id under which it has a row. None has an id that is too long. */
  async function call<R>(
    id: string,
    run: (storedId: string) => Promise<R>,
    refuse: () => R = refuseLongId,
  ): Promise<R> {
    const stored = await storedId(id);
    if (isTooLong(stored)) return refuse();
    try {
      return await run(stored);
    } catch (cause) {
      throw unavailable(cause);
    }
  }

  async function getStored(id: string): Promise<Row<T> | undefined> {
    return readable(await call(id, (storedId) => store.get(kind, storedId), () => undefined));
  }

  function readable(row: Row | undefined): Row<T> | undefined {
    if (row && !isReadable(row.value as T)) throw unreadable(`a row of the kind '${kind}'`);
    return row as Row<T> | undefined;
  }

  async function get(id: string): Promise<Row<T> | undefined> {
    return unexpired(await getStored(id), now());
  }

  /** Returns a listed row, unless it expired. A store that ignores `before` lists too many. */
  function present([id, row]: ListedRow, prefix: string): Array<[id: string, value: T]> {
    const current = readable(unexpired(row, now()));
    return current && id.startsWith(prefix) ? [[id, current.value]] : [];
  }

  async function* pages(prefix = "", after = prefix): AsyncGenerator<Array<[string, T]>> {
    for await (const page of pagesOf(store, kind, prefix, after)) {
      yield page.flatMap((listed) => present(listed, prefix));
    }
  }

  async function* each(prefix?: string, after?: string): AsyncGenerator<[string, T]> {
    for await (const page of pages(prefix, after)) yield* page;
  }

  async function list(prefix?: string, after?: string): Promise<Array<[string, T]>> {
    const rows: Array<[string, T]> = [];
    for await (const page of pages(prefix, after)) rows.push(...page);
    return rows;
  }

  return {
    get,
    getStored,
    find: async (id) => (await get(id))?.value,
    put: async (id, value, expiresAt) =>
      void await call(id, (storedId) => store.put(kind, storedId, { value, expiresAt })),
    replace: async (id, replaces, value, expiresAt = replaces.expiresAt) => {
      const row = { ...replaces, value, expiresAt };
      const written = await call(id, (storedId) => store.put(kind, storedId, row, { replaces }));
      if (typeof written === "boolean") return written;
      throw new Error(
        "The `put` of this store does not return whether it wrote: see storeContract.",
      );
    },
    add: (id, value, expiresAt) =>
      call(id, (storedId) => store.add(kind, storedId, { value, expiresAt })),
    consume: (id, keepUntil) =>
      call(id, (storedId) => store.consume(kind, storedId, now(), keepUntil)),
    delete: (id) => call(id, (storedId) => store.delete(kind, storedId)),
    pages,
    each,
    list: (prefix) => list(prefix),
    listAfter: (text) => list("", text),
  };
}

function isTooLong(id: string): boolean {
  // No character has more than three bytes for each of its code units.
  return id.length * 3 > maxIdBytes && encodeUtf8(id).length > maxIdBytes;
}

function refuseLongId(): never {
  throw invalidRequest(`The request names something with more than ${maxIdBytes} bytes.`);
}

function unexpired<T>(row: Row<T> | undefined, now: number): Row<T> | undefined {
  return row && row.expiresAt > now ? row : undefined;
}
