import { stat } from "node:fs/promises";
import { readDatabaseUrl } from "../../server/store/database_url.ts";
import { memoryStore } from "../../server/store/memory.ts";
import type { SqliteListener } from "../../server/store/sqlite.ts";
import type { Store } from "../../server/store/store.ts";
import { StoreUnavailableError } from "../../server/store/store_errors.ts";
import { messageOf } from "../../server/util/text/error_message.ts";
import { minute, second } from "../../server/util/time/duration.ts";
import { sqlitePath, storeForms } from "../command_line/command.ts";
import { UsageError } from "../terminal/exit_code.ts";
import { isPassing, reasonOf } from "../terminal/explain_error.ts";

/** How long a starting server waits for its store, in seconds. */
export const storeTimeout = 1 * minute;

/** The pause before the store is tried again, in milliseconds. */
const pause = 1 * second * 1000;

/** The clock of a server that waits. */
interface Waiting {
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

const realTime: Waiting = {
  now: () => performance.now(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Opens the store that a configuration names, or returns the one it holds. */
export async function openStore(
  store: string | Store | undefined,
  { isRealTime, listener }: {
    /** Whether the server that uses the store has the real clock. A lab has one to set. */
    isRealTime: boolean;
    listener?: SqliteListener | undefined;
  },
): Promise<Store> {
  if (store === undefined || store === "memory") return memoryStore();
  if (typeof store !== "string") return store;
  const { database } = readDatabaseUrl(store) ?? {};
  if (database) return await openDatabase(database, store, isRealTime);
  const path = sqlitePath(store);
  if (path === undefined) throw new UsageError(`The store must be ${storeForms}`);
  try {
    const { sqliteStore } = await import("../../server/store/sqlite.ts");
    return sqliteStore(path, listener);
  } catch (cause) {
    const Failure = isPassing(cause) ? StoreUnavailableError : UsageError;
    throw new Failure(`The store ${store} cannot be opened: ${reasonOf(cause)}`);
  }
}

/**
 * Opens a store, and tries again while it is unavailable: servers and their database may start at
 * the same time. Reports each reason once.
 */
export async function waitForStore(
  open: () => Promise<Store>,
  report: (message: string) => void,
  { now, sleep }: Waiting = realTime,
): Promise<Store> {
  const end = now() + storeTimeout * 1000;
  let reported = "";
  while (true) {
    try {
      return await open();
    } catch (cause) {
      if (!(cause instanceof StoreUnavailableError) || now() >= end) throw cause;
      if (cause.message !== reported) report(describeFailure(cause));
      reported = cause.message;
    }
    await sleep(pause);
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

function describeFailure({ message }: StoreUnavailableError): string {
  return `${message.replace(/\.?$/, ".")} Trying again for up to ${storeTimeout} seconds.`;
}
