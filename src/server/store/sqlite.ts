/**
 * A store in one SQLite file, for Deno, Bun and Node 22.13 or later.
 *
 * @example
 * ```ts
 * import { createServer } from "@hallpass/hallpass";
 * import { sqliteStore } from "@hallpass/hallpass/sqlite";
 *
 * const server = createServer({
 *   issuer: "https://id.example",
 *   store: sqliteStore("hallpass.db"),
 * });
 * await server.close();
 * ```
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import { withBatch } from "./batch.ts";
import { createGroupCommit, inTransaction } from "./sqlite/group_commit.ts";
import {
  checkInPlace,
  createDamageWatch,
  permissionWarnings,
  touchFile,
} from "./sqlite/open_file.ts";
import {
  emptyLog,
  hasErasureNote,
  migrate,
  needsRewriting,
  readVersion,
  remainsWarning,
  removeFreePages,
  rewrite,
} from "./sqlite/schema.ts";
import {
  prepareStatements,
  resultOf,
  type RowResult,
  type RowStatement,
  statementFor,
} from "./sqlite/statements.ts";
import { createSteadyClock } from "./sqlite/steady_clock.ts";
import { createWriterThread } from "./sqlite/writer_thread.ts";
import { type BatchedCall, type BatchedResult, defaultSweep, type Store } from "./store.ts";

/** The size of the write-ahead log after a checkpoint, in bytes. A long reader lets it grow. */
const maxLogSize = 64 * 1024 * 1024;

/** After how many pages of its log SQLite copies them to the file: each page once. */
const pagesPerCheckpoint = 4000;

/** How each connection to the file works. */
const settings = [
  // The default of SQLite; another build may have another.
  "PRAGMA synchronous = FULL",
  `PRAGMA journal_size_limit = ${maxLogSize}`,
  `PRAGMA wal_autocheckpoint = ${pagesPerCheckpoint}`,
  // What is deleted in a page is overwritten where that costs no write.
  "PRAGMA secure_delete = FAST",
];

// The day of 1970-01-01 is 2440587.5.
const now = "SELECT (julianday('now') - 2440587.5) * 86400000 AS number";
const size = "SELECT page_count * page_size AS number FROM pragma_page_count, pragma_page_size";

/** Who learns what happens to a store. */
export interface SqliteListener {
  /** Called before every row is written anew, because an earlier version wrote the file. */
  onUpgrade?: (() => void) | undefined;
  /** Called once nothing can be written any more: the process has to start again. */
  onFailure?: ((cause: Error) => void) | undefined;
}

/**
 * Creates a store in one file. It is durable: a write is on disk before its promise resolves.
 * Writes of the same turn of the event loop share one commit, which makes this affordable, and a
 * thread of its own waits for the disk.
 */
export function sqliteStore(path: string, listener: SqliteListener = {}): Store {
  // The file contains signing keys. Its mode also applies to the files that SQLite adds to it.
  const file = path === ":memory:" ? undefined : touchFile(path);
  const database = openDatabase(path, listener);
  const damage = createDamageWatch(database);
  const run = prepareStatements(database);
  // Another connection would have a memory of its own.
  const writer = file && createWriterThread(path, settings, listener.onFailure);
  const commits = createGroupCommit<readonly RowStatement[], RowResult[]>(
    writer?.commit ??
      ((writes) => inTransaction(database, () => writes.map((write) => write.map(run)))),
  );
  const read = <T>(make: () => T) => damage.watch(commits.read(make));
  const write = (statements: readonly RowStatement[]) => damage.watch(commits.write(statements));
  const change = (make: () => void) => read(() => inTransaction(database, make));
  const clock = createSteadyClock(() => readNumber(database, now));

  async function makeCalls(calls: readonly BatchedCall[]): Promise<BatchedResult[]> {
    const statements = calls.map(statementFor);
    const onlyReads = calls.every(([method]) => method === "get" || method === "list");
    const results = await (onlyReads ? read(() => statements.map(run)) : write(statements));
    return calls.map((call, at) => resultOf(call, results[at]));
  }

  async function makeCall<Result>(...call: BatchedCall): Promise<Result> {
    const [result] = await makeCalls([call]);
    return result as Result;
  }

  return withBatch({
    name: `sqlite:${path}`,
    ...file && {
      warnings: [
        ...permissionWarnings(file),
        ...hasErasureNote(database) ? [remainsWarning(path)] : [],
      ],
    },
    get: (...args) => makeCall("get", ...args),
    put: (...args) => makeCall("put", ...args),
    add: (...args) => makeCall("add", ...args),
    consume: (...args) => makeCall("consume", ...args),
    delete: (...args) => makeCall("delete", ...args),
    list: (...args) => makeCall("list", ...args),
    // There is no second clock, so the system clock is compared with its own past.
    now: async () => clock.now(),
    sweep: async (before, limit = defaultSweep) => {
      clock.agree();
      const [swept] = await write([["sweep", before, limit]]);
      if (Number(swept) > 0) await write([["vacuum"]]);
      return Number(swept);
    },
    size: () => read(() => ({ bytes: readNumber(database, size) })),
    check: async () => {
      if (file) checkInPlace(file);
      writer?.check();
      // A disk that can be read may still refuse to write.
      if (damage.check()) await write([["touch"]]);
    },
    erase: async () => {
      await change(() => removeFreePages(database));
      await change(() => rewrite(database));
      await read(() => emptyLog(database));
    },
    close: async () => {
      await commits.settled();
      await writer?.close();
      database.close();
    },
  }, makeCalls);
}

function openDatabase(path: string, { onUpgrade }: SqliteListener): DatabaseSync {
  const database = new DatabaseSync(path);
  // Several processes may open a new file at once, and must wait for each other.
  database.exec("PRAGMA busy_timeout = 5000");
  const version = readVersion(database);
  // The file can shrink again. This only works before the first table is created, and waits for
  // another process that writes.
  if (version === 0) database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  database.exec("PRAGMA journal_mode = WAL");
  for (const setting of settings) database.prepare(setting).all();
  if (needsRewriting(version)) onUpgrade?.();
  const isRewritten = migrate(database);
  if (isRewritten) emptyLog(database);
  // From here on the group commit waits for other processes. A blocking call would stop all
  // requests.
  database.exec("PRAGMA busy_timeout = 0");
  // A process that ended before it emptied its log has left old pages in the file. Where another one
  // uses the file now, that one copies the log in time.
  if (!isRewritten) database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  return database;
}

function readNumber(database: DatabaseSync, sql: string): number {
  return Number(database.prepare(sql).get()?.number);
}
