import { makeCalls } from "../batch.ts";
import {
  type BatchedCall,
  type BatchedMethod,
  type BatchedResult,
  defaultPage,
  type Row,
  type Store,
} from "../store.ts";
import {
  rangeOf,
  type RedisRows,
  type RowChange,
  type RowChanges,
  runScript,
  shardsOf,
  toRow,
} from "./row_access.ts";
import type { RowKeys } from "./row_keys.ts";

interface ScriptedCall {
  name: string;
  keys: RowKeys;
  args: string[];
  resultOf(reply: unknown): BatchedResult;
}

/** Plans the call of each method; not that of a list whose rows are in several shards. */
type Plans = {
  [Method in BatchedMethod]: (...args: Parameters<Store[Method]>) => ScriptedCall | undefined;
};

/**
 * Creates the batches of a store in a single server: one script makes all calls. In a Cluster, the
 * keys of a script must be in one place.
 */
export function createBatch(
  { connection, keys, scripts }: RedisRows,
  changes: RowChanges,
  store: Store,
): NonNullable<Store["batch"]> {
  const plans: Plans = {
    get: (kind, id) => ({
      name: "get",
      keys: keys.ofRow(kind, id),
      args: [],
      resultOf: (reply) => toRow(reply, kind, id),
    }),
    list(kind, { after, before, limit = defaultPage } = {}) {
      const [shard = "", ...others] = shardsOf(kind, after, before);
      if (others.length > 0) return undefined;
      const ofKind = keys.ofKind(shard, kind);
      const args = [...rangeOf(after, before), `${limit}`, ofKind.row];
      const resultOf = (reply: unknown) => listedRows(reply, kind);
      return { name: "list", keys: ofKind, args, resultOf };
    },
    put: (...args) => scriptedChange(changes.put(...args)),
    add: (...args) => scriptedChange(changes.add(...args)),
    consume: (...args) => scriptedChange(changes.consume(...args)),
    delete: (...args) => ({
      ...scriptedChange(changes.delete(...args)),
      resultOf: () => undefined,
    }),
  };
  const plan = ([method, ...args]: BatchedCall) =>
    (plans[method] as (...args: readonly unknown[]) => ScriptedCall | undefined)(...args);

  return async (calls) => {
    const planned = calls.map(plan).filter((call) => call !== undefined);
    const [first, ...names] = planned.flatMap(({ keys: { row, ids, expiries } }) => [
      ...[row, ids, expiries],
    ]);
    // A copy of a store has no batches.
    if (first === undefined || planned.length < calls.length) return makeCalls({ ...store }, calls);
    const args = planned.flatMap(({ name, args }) => [name, `${args.length}`, ...args]);
    const replies = await runScript(connection, scripts.batch, [first, ...names], args);
    return planned.map(({ resultOf }, n) => resultOf((replies as unknown[])[n]));
  };
}

function scriptedChange({ name, row, id, args }: RowChange): ScriptedCall {
  return { name, keys: row, args: [id, row.member, ...args], resultOf: (reply) => reply === 1 };
}

/** Reads a list. A row that was deleted meanwhile is left out. */
function listedRows(reply: unknown, kind: string): Array<[id: string, row: Row]> {
  return (reply as Array<[id: string, columns: unknown]>).flatMap(([id, columns]) => {
    const row = toRow(columns, kind, id);
    return row ? [[id, row] as [string, Row]] : [];
  });
}
