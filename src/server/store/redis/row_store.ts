import { day } from "../../util/time/duration.ts";
import type { Row, Store } from "../store.ts";
import { listRows } from "./list_rows.ts";
import { getRow, type RedisRows, runOnRow } from "./row_access.ts";
import type { Scripts } from "./scripts.ts";
import { countRows, readTime, sweepRows } from "./sweep_rows.ts";

/** How long after its end a row stays for Redis itself to delete, in milliseconds. */
const expiryMargin = day * 1000;

/** Stores rows in Redis. */
export function createRowStore(rows: RedisRows): Store {
  const { connection, keys, scripts, engineExpiry } = rows;

  async function change(name: keyof Scripts, kind: string, id: string, ...args: string[]) {
    return await runOnRow(connection, scripts[name], keys.ofRow(kind, id), id, ...args) === 1;
  }

  function engineExpiryOf(expiresAt: number): string {
    return engineExpiry ? `${Math.ceil(expiresAt + expiryMargin)}` : "";
  }

  function argumentsOf(row: Row): string[] {
    return [...columnsOf(row), engineExpiryOf(row.expiresAt)];
  }

  return {
    get: (kind, id) => getRow(rows, kind, id),
    put: (kind, id, row, { replaces } = {}) =>
      replaces
        ? change("replace", kind, id, ...argumentsOf(row), ...columnsOf(replaces))
        : change("put", kind, id, ...argumentsOf(row)),
    add: (kind, id, row) => change("add", kind, id, ...argumentsOf(row)),
    consume: (kind, id, at, keepUntil) =>
      change("consume", kind, id, `${at}`, `${keepUntil}`, engineExpiryOf(keepUntil)),
    delete: async (kind, id) => void await change("delete", kind, id),
    list: (kind, options) => listRows(rows, kind, options),
    sweep: (before, limit) => sweepRows(rows, before, limit),
    now: () => readTime(rows),
    size: async () => ({ rows: await countRows(rows) }),
    close: () => connection.close(),
  };
}

function columnsOf({ value, expiresAt, usedAt }: Row): string[] {
  return [JSON.stringify(value), `${expiresAt}`, `${usedAt ?? ""}`];
}
