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
import { createGroupCommit } from "./sqlite/group_commit.ts";
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
  readVersion,
  remainsWarning,
  removeFreePages,
  rewrite,
} from "./sqlite/schema.ts";
import { createSteadyClock } from "./sqlite/steady_clock.ts";
import {
  type BatchedCall,
  type BatchedMethod,
  type BatchedResult,
  defaultPage,
  defaultSweep,
  type Row,
  type Store,
} from "./store.ts";
import { readValue } from "./store_errors.ts";

/** The size of the write-ahead log after a checkpoint, in bytes. A long reader lets it grow. */
const maxLogSize = 64 * 1024 * 1024;

/** After how many pages of its log SQLite copies them to the file: each page once. */
const pagesPerCheckpoint = 4000;

/** How many free pages a sweep returns to the file system. More would delay other writes. */
const pagesPerSweep = 100;

const columns = "value, expires_at, used_at";

/**
 * Creates a store in one file. It is durable: a write is on disk before its promise resolves.
 * Writes of the same turn of the event loop share one commit, which makes this affordable.
 */
export function sqliteStore(path: string): Store {
  // The file contains signing keys. Its mode also applies to the files that SQLite adds to it.
  const file = path === ":memory:" ? undefined : touchFile(path);
  const database = openDatabase(path);
  const damage = createDamageWatch(database);
  const commits = createGroupCommit(database);
  const group = {
    read: <T>(run: () => T) => damage.watch(commits.read(run)),
    write: <T>(run: () => T) => damage.watch(commits.write(run)),
  };
  const statements = prepareStatements(database);
  const rows = createRows(statements);
  const clock = createSteadyClock(() => Number(statements.now.get()?.now));
  return withBatch({
    name: `sqlite:${path}`,
    ...file && {
      warnings: [
        ...permissionWarnings(file),
        ...hasErasureNote(database) ? [remainsWarning(path)] : [],
      ],
    },
    get: (...args) => group.read(() => rows.get(...args)),
    put: (...args) => group.write(() => rows.put(...args)),
    add: (...args) => group.write(() => rows.add(...args)),
    consume: (...args) => group.write(() => rows.consume(...args)),
    delete: (...args) => group.write(() => rows.delete(...args)),
    list: (...args) => group.read(() => rows.list(...args)),
    // There is no second clock, so the system clock is compared with its own past.
    now: async () => clock.now(),
    sweep: async (before, limit = defaultSweep) => {
      clock.agree();
      const swept = await group.write(() => Number(statements.sweep.run(before, limit).changes));
      if (swept > 0) await group.write(() => statements.vacuum.all());
      return swept;
    },
    size: () => group.read(() => ({ bytes: Number(statements.size.get()?.bytes) })),
    check: async () => {
      if (file) checkInPlace(file);
      damage.check();
    },
    erase: async () => {
      await group.write(() => removeFreePages(database));
      await group.write(() => rewrite(database));
      await group.read(() => emptyLog(database));
    },
    close: async () => {
      await commits.settled();
      database.close();
    },
  }, (calls) => {
    const onlyReads = calls.every(([method]) => method === "get" || method === "list");
    return (onlyReads ? group.read : group.write)(() => calls.map((call) => rows.make(call)));
  });
}

/** Reads and writes rows at once, within a transaction or not. */
function createRows(statements: ReturnType<typeof prepareStatements>) {
  const rows = {
    get(kind: string, id: string): Row | undefined {
      const row = statements.get.get(kind, id);
      return row && toRow(row, kind, id);
    },
    put(...[kind, id, row, { replaces } = {}]: Parameters<Store["put"]>): boolean {
      const result = replaces
        ? statements.replace.run(...columnsOf(row), kind, id, ...columnsOf(replaces))
        : statements.put.run(kind, id, ...columnsOf(row));
      return result.changes === 1;
    },
    add: (kind: string, id: string, row: Row) =>
      statements.add.run(kind, id, ...columnsOf(row)).changes === 1,
    consume: (...[kind, id, at, keepUntil]: Parameters<Store["consume"]>) =>
      statements.consume.run(at, keepUntil, kind, id).changes === 1,
    delete: (kind: string, id: string) => void statements.delete.run(kind, id),
    list(...[kind, { after, before, limit = defaultPage } = {}]: Parameters<Store["list"]>) {
      const found = after === undefined
        ? statements.first.all(kind, before ?? null, limit)
        : statements.next.all(kind, after, before ?? null, limit);
      return found.map(({ id, ...row }): [id: string, row: Row] => [
        String(id),
        toRow(row, kind, String(id)),
      ]);
    },
  };
  const methods = rows as Record<BatchedMethod, (...args: unknown[]) => BatchedResult>;
  return { ...rows, make: ([method, ...args]: BatchedCall) => methods[method](...args) };
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  // Several processes may open a new file at once, and must wait for each other.
  database.exec("PRAGMA busy_timeout = 5000");
  const version = readVersion(database);
  // The file can shrink again. This only works before the first table is created, and waits for
  // another process that writes.
  if (version === 0) database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  database.exec("PRAGMA journal_mode = WAL");
  // The default of SQLite; another build may have another.
  database.exec("PRAGMA synchronous = FULL");
  database.exec(`PRAGMA journal_size_limit = ${maxLogSize}`);
  database.exec(`PRAGMA wal_autocheckpoint = ${pagesPerCheckpoint}`);
  // What is deleted in a page is overwritten where that costs no write.
  database.prepare("PRAGMA secure_delete = FAST").all();
  const isMigrated = migrate(database);
  if (isMigrated) emptyLog(database);
  // From here on the group commit waits for other processes. A blocking call would stop all
  // requests.
  database.exec("PRAGMA busy_timeout = 0");
  // A process that ended before it emptied its log has left old pages in the file. Where another one
  // uses the file now, that one copies the log in time.
  if (!isMigrated) database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  return database;
}

function prepareStatements(database: DatabaseSync) {
  const insertion = "INTO rows (kind, id, value, expires_at, used_at) VALUES (?, ?, ?, ?, ?)";
  const expired = "SELECT rowid FROM rows WHERE expires_at < ? ORDER BY expires_at LIMIT ?";
  // The sum and the sign hide the values from SQLite, which would prepare the statement again for
  // each of them: for the kind, on Bun.
  const ofKind = `SELECT id, ${columns} FROM rows WHERE kind = +?`;
  // A blob sorts after every text, so the empty one is beyond the last id.
  const page = "id < coalesce(?, x'') ORDER BY id LIMIT ? + 0";
  return {
    get: database.prepare(`SELECT ${columns} FROM rows WHERE kind = ? AND id = ?`),
    put: database.prepare(`INSERT OR REPLACE ${insertion}`),
    replace: database.prepare(
      `UPDATE rows SET value = ?, expires_at = ?, used_at = ? WHERE kind = ? AND id = ?
         AND value = ? AND expires_at = ? AND used_at IS ?`,
    ),
    add: database.prepare(`INSERT OR IGNORE ${insertion}`),
    consume: database.prepare(
      "UPDATE rows SET used_at = ?, expires_at = ? WHERE kind = ? AND id = ? AND used_at IS NULL",
    ),
    delete: database.prepare("DELETE FROM rows WHERE kind = ? AND id = ?"),
    first: database.prepare(`${ofKind} AND ${page}`),
    next: database.prepare(`${ofKind} AND id > ? AND ${page}`),
    sweep: database.prepare(`DELETE FROM rows WHERE rowid IN (${expired})`),
    // The day of 1970-01-01 is 2440587.5.
    now: database.prepare("SELECT (julianday('now') - 2440587.5) * 86400000 AS now"),
    size: database.prepare(
      "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
    ),
    // Deno's exec would run a single step, which frees a single page.
    vacuum: database.prepare(`PRAGMA incremental_vacuum(${pagesPerSweep})`),
  };
}

function columnsOf(
  { value, expiresAt, usedAt }: Row,
): [value: string, expiresAt: number, usedAt: number | null] {
  return [JSON.stringify(value), expiresAt, usedAt ?? null];
}

function toRow(
  { value, expires_at, used_at }: Record<string, unknown>,
  kind: string,
  id: string,
): Row {
  const row = { value: readValue(String(value), kind, id), expiresAt: Number(expires_at) };
  return used_at === null ? row : { ...row, usedAt: Number(used_at) };
}
