import type { DatabaseSync } from "node:sqlite";

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
];

/** The columns of the table. */
const columns = ["kind", "id", "value", "expires_at", "used_at"];

/** Brings the tables to the current version. Of several processes, one does so. */
export function migrate(database: DatabaseSync): void {
  // Untestable (the condition became false): it only saves time, as there is no step to run.
  if (versionOf(database) === steps.length) return;
  database.exec("BEGIN IMMEDIATE");
  for (const step of steps.slice(versionOf(database))) database.exec(step);
  database.exec(`PRAGMA user_version = ${steps.length}`);
  database.exec("COMMIT");
}

/** Returns the version of the tables; 0 in a new file. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

/** Checks that tables are not of a later version. */
export function checkVersion(version: number, tables = "its tables"): void {
  if (version <= steps.length) return;
  throw new Error(
    `${tables} have version ${version}, and this program knows version ${steps.length}. Use the ` +
      "version of Hallpass that wrote them.",
  );
}

/** Whether a file holds the rows of a Hallpass store. */
export function holdsRows(database: DatabaseSync): boolean {
  const present = database.prepare("SELECT name FROM pragma_table_info('rows')").all();
  return versionOf(database) > 0 &&
    columns.every((column) => present.some(({ name }) => name === column));
}
