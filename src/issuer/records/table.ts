import { errorFactory } from "../../protocol/oauth_error.ts";
import type { Row, Store } from "../../store/store.ts";
import { sha256 } from "../../util/hash.ts";

const temporarilyUnavailable = errorFactory("temporarily_unavailable");

/** For rows that end only when they are deleted: the last instant of a `Date`. */
export const forever = 8.64e15;

/** The rows of one kind. Instants are milliseconds; what has expired does not exist. */
export interface Table<T> {
  /** The value of a row, used or not. */
  find(id: string): Promise<T | undefined>;
  /** The row itself, for those who ask whether it was used. */
  get(id: string): Promise<Row<T> | undefined>;
  put(id: string, value: T, expiresAt: number): Promise<void>;
  /** True to exactly one caller. */
  add(id: string, value: T, expiresAt: number): Promise<boolean>;
  /** True to exactly one caller; the row stays as a tombstone until then. */
  consume(id: string, keepUntil: number): Promise<boolean>;
  delete(id: string): Promise<void>;
  /** The rows whose ids go on after the prefix, or all. */
  list(prefix?: string): Promise<Array<[id: string, value: T]>>;
  /** The same one by one, for tables that may be large; other work goes on meanwhile. */
  each(prefix?: string): AsyncGenerator<[id: string, value: T]>;
}

/** A table whose ids may be read. */
export function plainTable<T>(store: Store, kind: string, now: () => number): Table<T> {
  return createTable(store, kind, now, (id) => id);
}

/** A table whose ids are bearer secrets: only their SHA-256 is stored. */
export function secretTable<T>(store: Store, kind: string, now: () => number): Table<T> {
  return createTable(store, kind, now, sha256);
}

/**
 * For marks that something was used or revoked, in milliseconds. They are kept for a while after they matter: should the clock have been
 * ahead, a mark that was swept meanwhile would make a used thing fresh again once the clock is put back.
 */
export function withMargin(table: Table<null>, margin: number): Table<null> {
  return {
    ...table,
    put: (id, value, expiresAt) => table.put(id, value, expiresAt + margin),
    add: (id, value, expiresAt) => table.add(id, value, expiresAt + margin),
  };
}

function createTable<T>(
  store: Store,
  kind: string,
  now: () => number,
  idOf: (id: string) => string | Promise<string>,
): Table<T> {
  const get = async (id: string) =>
    live<T>(await orUnavailable(store.get(kind, await idOf(id))), now());
  return {
    get,
    find: async (id) => (await get(id))?.value,
    put: async (id, value, expiresAt) =>
      orUnavailable(store.put(kind, await idOf(id), { value, expiresAt })),
    add: async (id, value, expiresAt) =>
      orUnavailable(store.add(kind, await idOf(id), { value, expiresAt })),
    consume: async (id, keepUntil) =>
      orUnavailable(store.consume(kind, await idOf(id), now(), keepUntil)),
    delete: async (id) => orUnavailable(store.delete(kind, await idOf(id))),
    each,
    list: async (prefix) => {
      const found: Array<[string, T]> = [];
      for await (const entry of each(prefix)) found.push(entry);
      return found;
    },
  };

  async function* each(prefix?: string): AsyncGenerator<[string, T]> {
    for await (const [id, row] of rowsAfter(store, kind, prefix)) {
      if (prefix !== undefined && !id.startsWith(prefix)) return;
      const present = live<T>(row, now());
      if (present) yield [id, present.value];
    }
  }
}

async function* rowsAfter(
  store: Store,
  kind: string,
  start: string | undefined,
): AsyncGenerator<[string, Row]> {
  let after = start;
  while (true) {
    const page = await orUnavailable(store.list(kind, { after, limit: pageLength }));
    yield* page;
    if (page.length < pageLength) return;
    after = page[page.length - 1][0];
    await nextTurn();
  }
}

/** In rows. */
const pageLength = 100;

/** Lets requests that wait be answered. A message and no timer: those of a test stand still. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

function live<T>(row: Row | undefined, now: number): Row<T> | undefined {
  return row && row.expiresAt > now ? row as Row<T> : undefined;
}

/** A store that fails is no fault of the client, who may try again; nothing is claimed to have been done. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw temporarilyUnavailable("The server cannot reach its storage; try again in a moment.", {
      headers: { "Retry-After": "5" },
      cause,
    });
  }
}
