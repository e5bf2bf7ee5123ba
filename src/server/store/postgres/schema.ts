import { minute } from "../../util/time/duration.ts";
import { UnsuitableServerError } from "../store_errors.ts";
import { qualify } from "./address.ts";
import type { Sql } from "./driver.ts";

/**
 * The steps that lead from an empty database to the current tables. Each runs once. Steps that were
 * released never change: append another one.
 *
 * Never change the type of a column that was released: servers of the version before still use it
 * while others start. Add a column instead.
 *
 * Ids are bytes, because text in PostgreSQL cannot hold every character, and bytes have the order
 * of code points in every locale.
 */
const steps: readonly string[] = [
  `CREATE TABLE hallpass_rows (
     kind text NOT NULL,
     id bytea NOT NULL,
     value text NOT NULL,
     expires_at double precision NOT NULL,
     used_at double precision,
     PRIMARY KEY (kind, id)
   );
   CREATE INDEX hallpass_rows_by_expiry ON hallpass_rows (expires_at)`,
  // Only the version rises: earlier commands would add users to whom no row of `user-claim` leads.
  "",
];

/**
 * Any number will do, if all servers use the same: they wait for each other while tables change.
 */
const lock = 4_201_379;

/**
 * How long a change of the tables may take, in milliseconds. Other servers that start wait for it
 * as long.
 */
export const migrationTimeout = 10 * minute * 1000;

/** Creates the tables, or brings them to the current version. Many servers may do so at once. */
export async function migrate(sql: Sql, schema: string | undefined): Promise<void> {
  const found = await readVersion(sql, schema);
  if (found === steps.length) return;
  await sql.begin(async (transaction) => {
    await transaction.unsafe(`SET LOCAL statement_timeout = ${migrationTimeout}`);
    await transaction.unsafe("SET LOCAL lock_timeout = 0");
    if (schema !== undefined) await transaction.unsafe(`SET LOCAL search_path = "${schema}"`);
    await transaction`SELECT pg_advisory_xact_lock(${lock})`;
    if (found === undefined) {
      await transaction`CREATE TABLE IF NOT EXISTS hallpass_schema (version integer NOT NULL)`;
    }
    const version = await readVersion(transaction, schema) ?? 0;
    for (const step of steps.slice(version)) await transaction.unsafe(step);
    await transaction`DELETE FROM hallpass_schema`;
    await transaction`INSERT INTO hallpass_schema VALUES (${steps.length})`;
  });
}

/** Returns the version of the tables; undefined if there are none. */
async function readVersion(
  sql: Pick<Sql, "unsafe">,
  schema: string | undefined,
): Promise<number | undefined> {
  const table = qualify("hallpass_schema", schema);
  const exists = async (name: string) => {
    const [answer] = await sql.unsafe(`SELECT to_regclass('${name}') IS NOT NULL AS found`);
    return answer?.found === true;
  };
  // The rows first: another server may create both tables between the two answers.
  const hasRows = await exists(qualify("hallpass_rows", schema));
  if (!await exists(table)) {
    if (hasRows) throw foreignTables();
    return undefined;
  }
  // As JSON, in which a table of another application has no such member.
  const [row] = await sql.unsafe(
    `SELECT to_jsonb(mark) -> 'version' AS version FROM ${table} mark`,
  );
  if (row === undefined) return undefined;
  const version = Number(row.version ?? Number.NaN);
  checkVersion(version);
  return version;
}

function foreignTables(): UnsuitableServerError {
  return new UnsuitableServerError(
    "its tables hallpass_rows and hallpass_schema are of another application, or in a form that " +
      "this version does not read. Name another database, or another schema: ?schema=NAME",
  );
}

function checkVersion(version: number): void {
  if (!Number.isInteger(version) || version < 1) throw foreignTables();
  if (version <= steps.length) return;
  throw new UnsuitableServerError(
    `its tables have version ${version}, and this program knows version ${steps.length}. Use the ` +
      "version of Hallpass that wrote them",
  );
}
