import { toHex } from "../../util/bytes/hex.ts";
import { decodeUtf8, encodeUtf8 } from "../../util/bytes/utf8.ts";
import { defaultPage, defaultSweep, type Row, type Store } from "../store.ts";
import { qualify } from "./address.ts";
import type { Sql, Statement } from "./driver.ts";
import { createOwnResults } from "./own_result.ts";
import type { PostgresPool } from "./pool.ts";

/**
 * Stores rows in PostgreSQL: one statement, and so one round trip, per call.
 *
 * Parameters and columns are cast, so that a prepared statement stays valid if a column changes its
 * type. Ids are sent as text: the client encodes bytes twice if it prepares a statement again,
 * which makes the id of another row.
 */
export function createRowStore(pool: PostgresPool, schema?: string): Store {
  const { select, change } = createOwnResults(pool.run);
  const name = qualify("hallpass_rows", schema);
  const table = (sql: Sql) => sql.unsafe(name);

  return {
    get: async (kind, id) => {
      const hexId = toHex(encodeUtf8(id));
      const [row] = await select<StoredColumns>(
        (sql) => sql`SELECT ${columns(sql)} FROM ${table(sql)} WHERE ${isRow(sql, kind, id)}`,
        (row) => row.kind === kind && toHex(row.id) === hexId,
      );
      return row && toRow(row);
    },
    put: async (kind, id, row, { replaces } = {}) =>
      await change((sql) =>
        replaces ? sql`UPDATE ${table(sql)} ${replacement(sql, kind, id, row, replaces)}` : sql`
        INSERT INTO ${table(sql)} ${insertion(sql, kind, id, row)}
        ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value,
          expires_at = excluded.expires_at, used_at = excluded.used_at`
      ) === 1,
    add: async (kind, id, row) =>
      await change((sql) =>
        sql`INSERT INTO ${table(sql)} ${insertion(sql, kind, id, row)} ON CONFLICT DO NOTHING`
      ) === 1,
    consume: async (kind, id, at, keepUntil) =>
      await change((sql) =>
        sql`
        UPDATE ${table(sql)} SET used_at = ${at}::double precision,
          expires_at = ${keepUntil}::double precision
        WHERE ${isRow(sql, kind, id)} AND used_at IS NULL`
      ) === 1,
    delete: async (kind, id) =>
      void await change((sql) => sql`DELETE FROM ${table(sql)} WHERE ${isRow(sql, kind, id)}`),
    list: async (kind, { after, before, limit = defaultPage } = {}) => {
      const rows = await select<StoredColumns>(
        (sql) =>
          sql`
        SELECT ${columns(sql)} FROM ${table(sql)}
        WHERE kind = ${kind}::text
          ${after === undefined ? sql`` : sql`AND id > ${bytes(sql, after)}`}
          ${before === undefined ? sql`` : sql`AND id < ${bytes(sql, before)}`}
        ORDER BY id LIMIT ${limit}::bigint`,
        (row) => row.kind === kind,
      );
      return rows.map((row) => [decodeUtf8(row.id) ?? "", toRow(row)]);
    },
    // Several servers sweep at once: each takes rows that no other is deleting.
    sweep: (before, limit = defaultSweep) =>
      change((sql) =>
        sql`
        DELETE FROM ${table(sql)} WHERE (kind, id) IN (
          SELECT kind, id FROM ${table(sql)} WHERE expires_at < ${before}::double precision
          ORDER BY expires_at LIMIT ${limit}::bigint FOR UPDATE SKIP LOCKED)`
      ),
    now: async () => {
      const [row] = await select<{ id: number; now: number }>(
        (sql) =>
          sql`
        SELECT 1 AS id, (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now`,
        isOnly,
      );
      return Number(row?.now);
    },
    size: async () => {
      const [row] = await select<{ id: number; bytes: string }>(
        (sql) => sql`SELECT 1 AS id, pg_total_relation_size(${name}) AS bytes`,
        isOnly,
      );
      return { bytes: Number(row?.bytes) };
    },
    close: pool.close,
  };
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

function columns(sql: Sql): Statement {
  return sql`kind::text AS kind, id::bytea AS id, value::text AS value,
    expires_at::double precision AS expires_at, used_at::double precision AS used_at`;
}

function isRow(sql: Sql, kind: string, id: string): Statement {
  return sql`kind = ${kind}::text AND id = ${bytes(sql, id)}`;
}

function insertion(sql: Sql, kind: string, id: string, row: Row): Statement {
  return sql`(kind, id, value, expires_at, used_at)
    VALUES (${kind}::text, ${bytes(sql, id)}, ${values(sql, row)})`;
}

function replacement(sql: Sql, kind: string, id: string, row: Row, before: Row): Statement {
  return sql`
    SET (value, expires_at, used_at) = (${values(sql, row)})
    WHERE ${isRow(sql, kind, id)}
      AND (value::text, expires_at, used_at) IS NOT DISTINCT FROM (${values(sql, before)})`;
}

function values(sql: Sql, { value, expiresAt, usedAt }: Row): Statement {
  return sql`${JSON.stringify(value)}::text, ${expiresAt}::double precision,
    ${usedAt ?? null}::double precision`;
}

function bytes(sql: Sql, id: string): Statement {
  return sql`decode(${toHex(encodeUtf8(id))}, 'hex')`;
}

function toRow({ value, expires_at, used_at }: StoredColumns): Row {
  const row = { value: JSON.parse(value), expiresAt: expires_at };
  return used_at === null ? row : { ...row, usedAt: used_at };
}
