import { defaultPage, defaultSweep, type Row, type Store } from "../store.ts";
import type { Sql } from "./driver.ts";
import type { PostgresPool } from "./pool.ts";

/** Stores rows in PostgreSQL: one statement, and so one round trip, per call. */
export function createRowStore({ run, close }: PostgresPool): Store {
  const change = async (statement: (sql: Sql) => Promise<{ count: number }>) =>
    (await run(statement)).count;
  return {
    get: async (kind, id) => {
      const [row] = await run((sql) =>
        sql<StoredColumns[]>`
        SELECT value, expires_at, used_at FROM hallpass_rows
        WHERE kind = ${kind} AND id = ${bytesOf(id)}`
      );
      return row && toRow(row);
    },
    put: async (kind, id, { value, expiresAt, usedAt = null }) =>
      void await change((sql) =>
        sql`
        INSERT INTO hallpass_rows (kind, id, value, expires_at, used_at)
        VALUES (${kind}, ${bytesOf(id)}, ${JSON.stringify(value)}, ${expiresAt}, ${usedAt})
        ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value,
          expires_at = excluded.expires_at, used_at = excluded.used_at`
      ),
    add: async (kind, id, { value, expiresAt, usedAt = null }) =>
      await change((sql) =>
        sql`
        INSERT INTO hallpass_rows (kind, id, value, expires_at, used_at)
        VALUES (${kind}, ${bytesOf(id)}, ${JSON.stringify(value)}, ${expiresAt}, ${usedAt})
        ON CONFLICT DO NOTHING`
      ) === 1,
    consume: async (kind, id, at, keepUntil) =>
      await change((sql) =>
        sql`
        UPDATE hallpass_rows SET used_at = ${at}, expires_at = ${keepUntil}
        WHERE kind = ${kind} AND id = ${bytesOf(id)} AND used_at IS NULL`
      ) === 1,
    delete: async (kind, id) =>
      void await change((sql) =>
        sql`
        DELETE FROM hallpass_rows WHERE kind = ${kind} AND id = ${bytesOf(id)}`
      ),
    list: async (kind, { after, before, limit = defaultPage } = {}) => {
      const rows = await run((sql) =>
        sql<ListedColumns[]>`
        SELECT id, value, expires_at, used_at FROM hallpass_rows
        WHERE kind = ${kind}
          ${after === undefined ? sql`` : sql`AND id > ${bytesOf(after)}`}
          ${before === undefined ? sql`` : sql`AND id < ${bytesOf(before)}`}
        ORDER BY id LIMIT ${limit}`
      );
      return rows.map((row) => [new TextDecoder().decode(row.id), toRow(row)]);
    },
    // Several servers sweep at once: each takes rows that no other is deleting.
    sweep: (before, limit = defaultSweep) =>
      change((sql) =>
        sql`
        DELETE FROM hallpass_rows WHERE (kind, id) IN (
          SELECT kind, id FROM hallpass_rows WHERE expires_at < ${before}
          ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ),
    size: async () => {
      const [size] = await run((sql) =>
        sql<{ bytes: string }[]>`SELECT pg_total_relation_size('hallpass_rows') AS bytes`
      );
      return { bytes: Number(size?.bytes) };
    },
    close,
  };
}

/** What PostgreSQL returns for a row. */
interface StoredColumns {
  value: string;
  expires_at: number;
  used_at: number | null;
}

interface ListedColumns extends StoredColumns {
  id: Uint8Array;
}

function bytesOf(id: string): Uint8Array {
  return new TextEncoder().encode(id);
}

function toRow({ value, expires_at, used_at }: StoredColumns): Row {
  const row = { value: JSON.parse(value), expiresAt: expires_at };
  return used_at === null ? row : { ...row, usedAt: used_at };
}
