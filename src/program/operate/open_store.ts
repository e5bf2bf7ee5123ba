import { stat } from "node:fs/promises";
import { readDatabaseUrl } from "../../server/store/database_url.ts";
import { memoryStore } from "../../server/store/memory.ts";
import type { Store } from "../../server/store/store.ts";
import { StoreUnavailableError } from "../../server/store/store_errors.ts";
import { messageOf } from "../../server/util/text/error_message.ts";
import { sqlitePath, storeForms } from "../command_line/store_name.ts";
import { isPassing, reasonOf } from "../terminal/explain_error.ts";
import { UsageError } from "../terminal/usage_error.ts";

/** How a store is opened. */
export interface OpenOptions {
  /** Whether the server that uses the store goes by the real time. A lab has a clock to set. */
  isRealTime: boolean;
}

/** Opens the store that a configuration names, or returns the one it holds. */
export async function openStore(
  store: string | Store | undefined,
  { isRealTime }: OpenOptions,
): Promise<Store> {
  if (store === undefined || store === "memory") return memoryStore();
  if (typeof store !== "string") return store;
  const { database } = readDatabaseUrl(store) ?? {};
  if (database) return await openDatabase(database, store, isRealTime);
  const path = sqlitePath(store);
  if (path === undefined) throw new UsageError(`The store must be ${storeForms}`);
  try {
    const { sqliteStore } = await import("../../server/store/sqlite.ts");
    return sqliteStore(path);
  } catch (cause) {
    const Failure = isPassing(cause) ? StoreUnavailableError : UsageError;
    throw new Failure(`The store ${store} cannot be opened: ${reasonOf(cause)}`);
  }
}

/** Whether there is a file or a folder at a path. Opening a SQLite store would create its file. */
export async function pathExists(path: string): Promise<boolean> {
  return await stat(path).then(() => true, () => false);
}

/** The errors of these stores are for operators already, and contain no password. */
async function openDatabase(
  database: "postgres" | "redis",
  url: string,
  engineExpiry: boolean,
): Promise<Store> {
  try {
    if (database === "postgres") {
      return await (await import("../../server/store/postgres.ts")).postgresStore(url);
    }
    return await (await import("../../server/store/redis.ts")).redisStore(url, { engineExpiry });
  } catch (cause) {
    throw cause instanceof StoreUnavailableError ? cause : new UsageError(messageOf(cause));
  }
}
