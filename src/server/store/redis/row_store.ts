import { withBatch } from "../batch.ts";
import type { Store } from "../store.ts";
import { listRows } from "./list_rows.ts";
import { getRow, type RedisRows, runOnRow } from "./row_access.ts";
import { createBatch } from "./row_batch.ts";
import { createRowChanges, type RowChange } from "./row_changes.ts";
import { countRows, readTime, sweepRows } from "./sweep_rows.ts";

/** Stores rows in Redis. */
export function createRowStore(rows: RedisRows): Store {
  const { connection, scripts } = rows;
  const changes = createRowChanges(rows);

  async function make({ name, row, id, args }: RowChange): Promise<boolean> {
    return await runOnRow(connection, scripts[name], row, id, ...args) === 1;
  }

  const store: Store = {
    get: (kind, id) => getRow(rows, kind, id),
    put: (...args) => make(changes.put(...args)),
    add: (...args) => make(changes.add(...args)),
    consume: (...args) => make(changes.consume(...args)),
    delete: async (...args) => void await make(changes.delete(...args)),
    list: (kind, options) => listRows(rows, kind, options),
    sweep: (before, limit) => sweepRows(rows, before, limit),
    now: () => readTime(rows),
    size: async () => ({ rows: await countRows(rows) }),
    close: () => connection.close(),
  };
  return connection.isCluster ? store : withBatch(store, createBatch(rows, changes, store));
}
