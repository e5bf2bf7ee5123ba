import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "../../src/server/store/sqlite.ts";
import type { Store } from "../../src/server/store/store.ts";
import { openFolder } from "./folder.ts";

/** The path of a store, in a folder of its own. */
export interface StoreFile {
  folder: string;
  path: string;
}

export async function openStoreFile(): Promise<StoreFile & AsyncDisposable> {
  const opened = await openFolder();
  return { ...opened, path: join(opened.folder, "store.db") };
}

/** Opens a store in a folder that is removed when the store is closed. */
export async function openFileStore(): Promise<Store> {
  const opened = await openStoreFile();
  const store = sqliteStore(opened.path);
  const { close } = store;
  return Object.assign(store, {
    close: async () => {
      await close();
      await opened[Symbol.asyncDispose]();
    },
  });
}

/** Calls a function with the store of a file. */
export async function withStore<T>(path: string, act: (store: Store) => Promise<T>): Promise<T> {
  const store = sqliteStore(path);
  try {
    return await act(store);
  } finally {
    await store.close();
  }
}

/** Runs SQL on a file. */
export function runSql(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
