import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers";
import type { Row, Store } from "./store.ts";
import { defaultPage, defaultSweep } from "./store.ts";

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

/** How long a process waits for another one to finish its write, in milliseconds. */
const busyTimeout = 5000;

/**
 * Keeps rows in one file, durably: a write is on the disk before its promise resolves.
 * Writes that arrive in the same turn of the event loop share one commit, which makes this affordable.
 */
export function sqliteStore(path: string): Store {
  const database = openDatabase(path);
  const group = groupCommit(database);
  const get = database.prepare("SELECT value, expires_at, used_at FROM rows WHERE kind = ? AND id = ?");
  const put = database.prepare("INSERT OR REPLACE INTO rows (kind, id, value, expires_at, used_at) VALUES (?, ?, ?, ?, ?)");
  const add = database.prepare("INSERT OR IGNORE INTO rows (kind, id, value, expires_at, used_at) VALUES (?, ?, ?, ?, ?)");
  const consume = database.prepare("UPDATE rows SET used_at = ?, expires_at = ? WHERE kind = ? AND id = ? AND used_at IS NULL");
  const remove = database.prepare("DELETE FROM rows WHERE kind = ? AND id = ?");
  const list = database.prepare("SELECT id, value, expires_at, used_at FROM rows WHERE kind = ? AND id > ? ORDER BY id LIMIT ?");
  const sweep = database.prepare(
    "DELETE FROM rows WHERE (kind, id) IN (SELECT kind, id FROM rows WHERE expires_at < ? ORDER BY expires_at LIMIT ?)",
  );

  return {
    get: async (kind, id) => toRow(get.get(kind, id)),
    put: (kind, id, row) => group.write(() => void put.run(...columns(kind, id, row))),
    add: (kind, id, row) => group.write(() => add.run(...columns(kind, id, row)).changes === 1),
    consume: (kind, id, at, keepUntil) => group.write(() => consume.run(at, keepUntil, kind, id).changes === 1),
    delete: (kind, id) => group.write(() => void remove.run(kind, id)),
    list: async (kind, { after = "", limit = defaultPage } = {}) =>
      list.all(kind, after, limit).map((columns) => [String(columns.id), toRow(columns)!]),
    sweep: (before, limit = defaultSweep) => group.write(() => Number(sweep.run(before, limit).changes)),
    close: async () => {
      await group.settled();
      database.close();
    },
  };
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`);
  database.exec(schema);
  return database;
}

function columns(kind: string, id: string, row: Row): [string, string, string, number, number | null] {
  return [kind, id, JSON.stringify(row.value), row.expiresAt, row.usedAt ?? null];
}

function toRow(columns: Record<string, unknown> | undefined): Row | undefined {
  if (!columns) return undefined;
  const row = { value: JSON.parse(String(columns.value)), expiresAt: Number(columns.expires_at) };
  return columns.used_at === null ? row : { ...row, usedAt: Number(columns.used_at) };
}

interface Write {
  run: () => unknown;
  resolve: (result: unknown) => void;
  reject: (cause: unknown) => void;
}

/** Collects the writes of one turn of the event loop, commits them together, and only then answers all of them. */
function groupCommit(database: DatabaseSync) {
  let waiting: Write[] = [];
  let last: Promise<unknown> = Promise.resolve();

  function commit(): void {
    const writes = waiting;
    waiting = [];
    try {
      database.exec("BEGIN IMMEDIATE");
      const results = writes.map(({ run }) => run());
      database.exec("COMMIT");
      writes.forEach(({ resolve }, at) => resolve(results[at]));
    } catch (cause) {
      if (database.isTransaction) database.exec("ROLLBACK");
      for (const { reject } of writes) reject(cause);
    }
  }

  return {
    write<T>(run: () => T): Promise<T> {
      const written = new Promise<T>((resolve, reject) => {
        waiting.push({ run, resolve: resolve as Write["resolve"], reject });
        if (waiting.length === 1) setImmediate(commit);
      });
      last = written.catch(() => undefined);
      return written;
    },
    settled: () => last,
  };
}
