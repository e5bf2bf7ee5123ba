import { toHex } from "../../util/bytes/hex.ts";
import { decodeUtf8, encodeUtf8 } from "../../util/bytes/utf8.ts";
import { defaultPage, defaultSweep, type Row, type Store } from "../store.ts";
import { qualify } from "./address.ts";
import { createOwnResults, modification, selection } from "./own_result.ts";
import type { PostgresPool } from "./pool.ts";

/** What sorts after every id: no UTF-8 contains it. */
const beyondAll = "ff";

/** Stores rows in PostgreSQL: one statement, and so one round trip, per call. */
export function createRowStore(pool: PostgresPool, schema?: string): Store {
  const { select, change } = createOwnResults(pool.run);
  const table = qualify("hallpass_rows", schema);
  const statements = createStatements(table);

  return {
    get: async (kind, id) => {
      const hexId = toHexId(id);
      const [row] = await select<StoredColumns>(
        statements.get,
        [kind, hexId],
        (row) => row.kind === kind && toHex(row.id) === hexId,
      );
      return row && toRow(row);
    },
    put: async (kind, id, row, { replaces } = {}) => {
      const changed = replaces
        ? change(statements.replace, [...columnsOf(row), kind, toHexId(id), ...columnsOf(replaces)])
        : change(statements.put, [kind, toHexId(id), ...columnsOf(row)]);
      return await changed === 1;
    },
    add: async (kind, id, row) =>
      await change(statements.add, [kind, toHexId(id), ...columnsOf(row)]) === 1,
    consume: async (kind, id, at, keepUntil) =>
      await change(statements.consume, [at, keepUntil, kind, toHexId(id)]) === 1,
    delete: async (kind, id) => void await change(statements.delete, [kind, toHexId(id)]),
    list: async (kind, { after, before, limit = defaultPage } = {}) => {
      const start = after === undefined ? "" : `${toHexId(after)}00`;
      const end = before === undefined ? beyondAll : toHexId(before);
      const rows = await select<StoredColumns>(
        statements.list,
        [kind, start, end, limit],
        (row) => row.kind === kind,
      );
      return rows.map((row) => [decodeUtf8(row.id) ?? "", toRow(row)]);
    },
    sweep: (before, limit = defaultSweep) => change(statements.sweep, [before, limit]),
    now: async () => {
      const [row] = await select<{ id: number; now: number }>(statements.now, [], isOnly);
      return Number(row?.now);
    },
    size: async () => {
      const [row] = await select<{ id: number; bytes: string }>(statements.size, [table], isOnly);
      return { bytes: Number(row?.bytes) };
    },
    close: pool.close,
  };
}

/**
 * Creates the statements on a table. Values and columns are cast, so that a prepared statement
 * stays valid if a column changes its type. Ids are sent as text: the client encodes bytes twice if
 * it prepares a statement again, which makes the id of another row.
 */
function createStatements(table: string) {
  const columns = `kind::text AS kind, id::bytea AS id, value::text AS value,
    expires_at::double precision AS expires_at, used_at::double precision AS used_at`;
  const id = "decode(?, 'hex')";
  const values = "?::text, ?::double precision, ?::double precision";
  const isRow = `kind = ?::text AND id = ${id}`;
  const insertion = `INSERT INTO ${table} (kind, id, value, expires_at, used_at)
    VALUES (?::text, ${id}, ${values})`;
  return {
    get: selection(`SELECT ${columns} FROM ${table} WHERE ${isRow}`),
    put: modification(`${insertion}
      ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value,
        expires_at = excluded.expires_at, used_at = excluded.used_at`),
    replace: modification(`
      UPDATE ${table} SET (value, expires_at, used_at) = (${values}) WHERE ${isRow}
        AND (value::text, expires_at, used_at) IS NOT DISTINCT FROM (${values})`),
    add: modification(`${insertion} ON CONFLICT DO NOTHING`),
    consume: modification(`
      UPDATE ${table} SET used_at = ?::double precision, expires_at = ?::double precision
      WHERE ${isRow} AND used_at IS NULL`),
    delete: modification(`DELETE FROM ${table} WHERE ${isRow}`),
    list: selection(`
      SELECT ${columns} FROM ${table}
      WHERE kind = ?::text AND id >= ${id} AND id < ${id}
      ORDER BY id LIMIT ?::bigint`),
    // Several servers sweep at once: each takes rows that no other is deleting.
    sweep: modification(`
      DELETE FROM ${table} WHERE (kind, id) IN (
        SELECT kind, id FROM ${table} WHERE expires_at < ?::double precision
        ORDER BY expires_at LIMIT ?::bigint FOR UPDATE SKIP LOCKED)`),
    now: selection(
      "SELECT 1 AS id, (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now",
    ),
    size: selection("SELECT 1 AS id, pg_total_relation_size(?) AS bytes"),
  };
}

function toHexId(id: string): string {
  return toHex(encodeUtf8(id));
}

function columnsOf(
  { value, expiresAt, usedAt }: Row,
): [value: string, expiresAt: number, usedAt: number | null] {
  return [JSON.stringify(value), expiresAt, usedAt ?? null];
}

/** Whether a row is the only row of a query that always returns one. */
function isOnly({ id }: { id: number }): boolean {
  return id === 1;
}

/** What PostgreSQL returns for a row. */
interface StoredColumns {
  kind: string;
  id: Uint8Array<ArrayBuffer>;
  value: string;
  expires_at: number;
  used_at: number | null;
}

function toRow({ value, expires_at, used_at }: StoredColumns): Row {
  const row = { value: JSON.parse(value), expiresAt: expires_at };
  return used_at === null ? row : { ...row, usedAt: used_at };
}
