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

import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { createGroupCommit } from "./group_commit.ts";
import { defaultPage, defaultSweep, type Row, type Store } from "./store.ts";

const schema = `
  CREATE TABLE IF NOT EXISTS rows (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at REAL NOT NULL,
    used_at REAL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS rows_by_expiry ON rows (expires_at);
`;

/** The write-ahead log is cut back to this size after a checkpoint, in bytes; a long reader may have let it grow. */
const maxLog = 64 * 1024 * 1024;

/** How many free pages a sweep gives back to the file system; more would hold up the other writes. */
const pagesPerSweep = 100;

/**
 * Keeps rows in one file, durably: a write is on the disk before its promise resolves.
 * Writes that arrive in the same turn of the event loop share one commit, which makes this affordable.
 */
export function sqliteStore(path: string): Store {
  const database = openDatabase(path);
  const group = createGroupCommit(database);
  const get = database.prepare(
    "SELECT value, expires_at, used_at FROM rows WHERE kind = ? AND id = ?",
  );
  const put = database.prepare(
    "INSERT OR REPLACE INTO rows (kind, id, value, expires_at, used_at) VALUES (?, ?, ?, ?, ?)",
  );
  const add = database.prepare(
    "INSERT OR IGNORE INTO rows (kind, id, value, expires_at, used_at) VALUES (?, ?, ?, ?, ?)",
  );
  const consume = database.prepare(
    "UPDATE rows SET used_at = ?, expires_at = ? WHERE kind = ? AND id = ? AND used_at IS NULL",
  );
  const remove = database.prepare("DELETE FROM rows WHERE kind = ? AND id = ?");
  const first = database.prepare(
    "SELECT id, value, expires_at, used_at FROM rows WHERE kind = ? ORDER BY id LIMIT ?",
  );
  const next = database.prepare(
    "SELECT id, value, expires_at, used_at FROM rows WHERE kind = ? AND id > ? ORDER BY id LIMIT ?",
  );
  const sweep = database.prepare(
    "DELETE FROM rows WHERE (kind, id) IN (SELECT kind, id FROM rows WHERE expires_at < ? ORDER BY expires_at LIMIT ?)",
  );
  // Deno's exec would take one step, which is one page.
  const vacuum = database.prepare(`PRAGMA incremental_vacuum(${pagesPerSweep})`);

  return {
    name: `sqlite:${path}`,
    get: (kind, id) => group.read(() => toRow(get.get(kind, id))),
    put: (kind, id, row) => group.write(() => void put.run(...columns(kind, id, row))),
    add: (kind, id, row) => group.write(() => add.run(...columns(kind, id, row)).changes === 1),
    consume: (kind, id, at, keepUntil) =>
      group.write(() => consume.run(at, keepUntil, kind, id).changes === 1),
    delete: (kind, id) => group.write(() => void remove.run(kind, id)),
    list: (kind, { after, limit = defaultPage } = {}) =>
      group.read(() => {
        const found = after === undefined ? first.all(kind, limit) : next.all(kind, after, limit);
        return found.map((columns) => [String(columns.id), toRow(columns)!]);
      }),
    sweep: async (before, limit = defaultSweep) => {
      const swept = await group.write(() => Number(sweep.run(before, limit).changes));
      if (swept > 0) await group.write(() => vacuum.all());
      return swept;
    },
    close: async () => {
      await group.settled();
      database.close();
    },
  };
}

function openDatabase(path: string): DatabaseSync {
  // The file holds signing keys: nobody else on this machine may read it, nor the files that SQLite makes beside it.
  if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path);
  // Several processes may open a new file at once, and wait for each other. A new file can shrink again.
  database.exec(
    "PRAGMA busy_timeout = 5000; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;",
  );
  database.exec(`PRAGMA journal_size_limit = ${maxLog};`);
  database.exec(schema);
  // From here on the group commit waits for other processes: a call that blocks would hold up every request.
  database.exec("PRAGMA busy_timeout = 0;");
  return database;
}

function columns(
  kind: string,
  id: string,
  row: Row,
): [string, string, string, number, number | null] {
  return [kind, id, JSON.stringify(row.value), row.expiresAt, row.usedAt ?? null];
}

function toRow(columns: Record<string, unknown> | undefined): Row | undefined {
  if (!columns) return undefined;
  const row = { value: JSON.parse(String(columns.value)), expiresAt: Number(columns.expires_at) };
  return columns.used_at === null ? row : { ...row, usedAt: Number(columns.used_at) };
}
