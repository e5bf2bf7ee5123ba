/** A row that every version holds, and what a store must return for it. */
export const keptRow = { kind: "user", id: "dora", value: "kept", expiresAt: 8e15, usedAt: 5 };

const insertion = `INSERT INTO rows VALUES ('user', 'dora', '"kept"', 8e15, 5)`;

/**
 * SQL that makes a file as each version did, with one row: the first is from before there were
 * versions. They never change.
 */
export const sqliteVersions: readonly string[] = [
  `CREATE TABLE rows (
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     value TEXT NOT NULL,
     expires_at REAL NOT NULL,
     used_at REAL,
     PRIMARY KEY (kind, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX rows_by_expiry ON rows (expires_at);
   ${insertion}`,
  `PRAGMA auto_vacuum = INCREMENTAL;
   PRAGMA journal_mode = WAL;
   CREATE TABLE rows (
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     value TEXT NOT NULL,
     expires_at REAL NOT NULL,
     used_at REAL,
     PRIMARY KEY (kind, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX rows_by_expiry ON rows (expires_at);
   PRAGMA user_version = 1;
   ${insertion}`,
];
