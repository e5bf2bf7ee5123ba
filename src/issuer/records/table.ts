import { sha256 } from "../../protocol/digest.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import type { Row, Store } from "../../store/store.ts";

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
}

/** A table whose ids may be read. */
export function plainTable<T>(store: Store, kind: string, now: () => number): Table<T> {
  return createTable(store, kind, now, (id) => id);
}

/** A table whose ids are bearer secrets: only their SHA-256 is stored. */
export function secretTable<T>(store: Store, kind: string, now: () => number): Table<T> {
  return createTable(store, kind, now, sha256);
}

function createTable<T>(store: Store, kind: string, now: () => number, idOf: (id: string) => string | Promise<string>): Table<T> {
  const get = async (id: string) => live<T>(await orUnavailable(store.get(kind, await idOf(id))), now());
  return {
    get,
    find: async (id) => (await get(id))?.value,
    put: async (id, value, expiresAt) => orUnavailable(store.put(kind, await idOf(id), { value, expiresAt })),
    add: async (id, value, expiresAt) => orUnavailable(store.add(kind, await idOf(id), { value, expiresAt })),
    consume: async (id, keepUntil) => orUnavailable(store.consume(kind, await idOf(id), now(), keepUntil)),
    delete: async (id) => orUnavailable(store.delete(kind, await idOf(id))),
    list: async (prefix) => {
      const found: Array<[string, T]> = [];
      for await (const [id, row] of rowsAfter(store, kind, prefix)) {
        if (prefix !== undefined && !id.startsWith(prefix)) break;
        const present = live<T>(row, now());
        if (present) found.push([id, present.value]);
      }
      return found;
    },
  };
}

async function* rowsAfter(store: Store, kind: string, start: string | undefined): AsyncGenerator<[string, Row]> {
  let after = start;
  while (true) {
    const page = await orUnavailable(store.list(kind, { after }));
    if (page.length === 0) return;
    yield* page;
    after = page[page.length - 1][0];
  }
}

function live<T>(row: Row | undefined, now: number): Row<T> | undefined {
  return row && row.expiresAt > now ? row as Row<T> : undefined;
}

/** A store that fails is no fault of the client, who may try again; nothing is claimed to have been done. */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new OAuthError("temporarily_unavailable", "The server cannot reach its storage; try again in a moment.", {
      headers: { "Retry-After": "5" },
      cause,
    });
  }
}
