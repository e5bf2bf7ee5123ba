import type { DatabaseSync } from "node:sqlite";
import { erasureNote } from "../store.ts";

/**
 * Writes every row anew. Most ids are hashes: in the order of their ids, the rows of a flow would
 * each be on another page.
 */
const rewriteRows = `
  CREATE TABLE appended_rows (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    expires_at REAL NOT NULL,
    used_at REAL,
    PRIMARY KEY (kind, id)
  ) STRICT;
  INSERT INTO appended_rows SELECT kind, id, value, expires_at, used_at FROM rows;
  DROP TABLE rows;
  ALTER TABLE appended_rows RENAME TO rows;
  CREATE INDEX rows_by_expiry ON rows (expires_at);`;

/**
 * The steps that lead from an empty file to the current tables. Each runs once. Steps that were
 * released never change: append another one.
 */
const steps: readonly string[] = [
  `CREATE TABLE rows (
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     value TEXT NOT NULL,
     expires_at REAL NOT NULL,
     used_at REAL,
     PRIMARY KEY (kind, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX rows_by_expiry ON rows (expires_at);`,
  rewriteRows,
  // Earlier versions left in the file what they replaced and deleted.
  rewriteRows,
  // Only the version rises: earlier commands would add users to whom no row of `user-claim` leads.
  "",
];

/** The version of the tables that this program writes. */
export const currentVersion = steps.length;

/** The advice for tables that this version cannot bring to its own form. */
const useTheirVersion = "Use the version of Hallpass that wrote them.";

/** Marks a file as a store of Hallpass, in its header: the letters HALL. */
export const applicationId = 0x48414c4c;

/** Whether the tables of a version are written anew, which takes minutes. */
export function needsRewriting(version: number): boolean {
  return version > 0 && steps.slice(version).includes(rewriteRows);
}

/**
 * Brings the tables to the current version, and returns whether it wrote earlier rows anew. Of several
 * processes, one does so.
 */
export function migrate(database: DatabaseSync): boolean {
  const found = readVersion(database);
  if (found === currentVersion) return false;
  removeFreePages(database);
  database.exec("BEGIN IMMEDIATE");
  for (const step of steps.slice(readVersion(database))) {
    database.exec(step);
    removeFreePages(database);
  }
  if (needsRewriting(found)) noteErasure(database);
  database.exec(`PRAGMA application_id = ${applicationId}`);
  database.exec(`PRAGMA user_version = ${currentVersion}`);
  database.exec("COMMIT");
  return needsRewriting(found);
}

/** Notes in the transaction of a migration that what was replaced must be erased once more. */
function noteErasure(database: DatabaseSync): void {
  const { kind, id } = erasureNote;
  database.prepare("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, NULL)")
    .run(kind, id, '"migration"', Number.MAX_SAFE_INTEGER);
}

/** Whether a note says that replaced secrets are to be erased. */
export function hasErasureNote(database: DatabaseSync): boolean {
  const { kind, id } = erasureNote;
  const note = database.prepare("SELECT 1 FROM rows WHERE kind = ? AND id = ? AND expires_at > 0");
  return note.get(kind, id) !== undefined;
}

/** Returns to the file system the pages without content, which keep what was deleted. */
export function removeFreePages(database: DatabaseSync): void {
  // Deno's exec would run a single step, which frees a single page.
  database.prepare("PRAGMA incremental_vacuum").all();
}

/**
 * Writes every row to a new page: SQLite keeps what it replaced or moved in the gaps of a page, even
 * with `secure_delete`. No page may be free before the transaction: it would get a new use together
 * with its old content. Deno permits `VACUUM` only to a program that may do all.
 */
export function rewrite(database: DatabaseSync): void {
  database.exec(rewriteRows);
  removeFreePages(database);
}

/** Copies the write-ahead log to the file, and empties it. Throws while another process reads it. */
export function emptyLog(database: DatabaseSync): void {
  const [result] = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  if (result?.busy !== 0) throw new Error("database is locked: another process reads its log");
}

/** What an operator should know of a file with secrets that were replaced. */
export function remainsWarning(path: string): string {
  return `The file ${path} kept secrets that were replaced. They are erased when the server starts, ` +
    "but copies and backups may hold signing keys from before they were encrypted or resealed. To " +
    "replace such keys: hallpass key rotate";
}

/**
 * Returns the version of the tables; 0 in a new file. Throws for a file of another application, to
 * which our tables would be added, and for tables of a later version.
 */
export function readVersion(database: DatabaseSync, tables = "its tables"): number {
  if (!isOurs(database)) {
    const [found] = database.prepare("SELECT name FROM sqlite_schema LIMIT 1").all();
    if (found === undefined && numberOf(database, "application_id") === 0) return 0;
    if (isOfEarlierForm(database)) {
      throw new Error(`${tables} have a form that this version does not read. ${useTheirVersion}`);
    }
    throw new Error(
      "it is a database of another application, or in a form that this version does not read. " +
        "Name a file that does not exist yet.",
    );
  }
  const version = numberOf(database, "user_version");
  if (version > currentVersion) {
    throw new Error(
      `${tables} have version ${version}, and this program knows version ${currentVersion}. ` +
        useTheirVersion,
    );
  }
  return version;
}

/** Whether a file is marked as a store of Hallpass. */
export function isOurs(database: DatabaseSync): boolean {
  return numberOf(database, "application_id") === applicationId;
}

/** Whether a build from before the mark wrote a file: it has our table, but not the mark. */
export function isOfEarlierForm(database: DatabaseSync): boolean {
  if (numberOf(database, "application_id") !== 0) return false;
  const names = database.prepare("SELECT name FROM pragma_table_info('rows') ORDER BY name").all();
  return names.map(({ name }) => name).join() === "expires_at,id,kind,used_at,value";
}

function numberOf(database: DatabaseSync, pragma: "application_id" | "user_version"): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}
