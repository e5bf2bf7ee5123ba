import { withTimeout } from "../../util/time/promises.ts";
import { withBatch } from "../batch.ts";
import { defaultSweep, type Store } from "../store.ts";
import {
  createRowChanges,
  getRow,
  listRows,
  type RedisRows,
  type RowChange,
  runOnRow,
} from "./row_access.ts";
import { createBatch } from "./row_batch.ts";
import { shards } from "./row_keys.ts";

/** How long a call of a store may take, in milliseconds. */
const deadline = 5 * 1000;

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
    size: async () => {
      const counts = shards.map((shard) => countUntil(rows, shard, "+inf"));
      return { rows: sum(await Promise.all(counts)) };
    },
    close: () => connection.close(),
  };
  return connection.isCluster ? store : withBatch(store, createBatch(rows, changes, store));
}

/** Makes each call of a store fail that takes longer than five seconds. */
export function withDeadline(store: Store): Store {
  const { now, batch } = store;
  const overdue = () => new Error(`The store did not respond within ${deadline / 1000} seconds.`);
  const limit = <T>(work: Promise<T>) => withTimeout(deadline, work, overdue);
  const limited: Store = {
    ...store,
    get: (...args) => limit(store.get(...args)),
    put: (...args) => limit(store.put(...args)),
    add: (...args) => limit(store.add(...args)),
    consume: (...args) => limit(store.consume(...args)),
    delete: (...args) => limit(store.delete(...args)),
    list: (...args) => limit(store.list(...args)),
    sweep: (...args) => limit(store.sweep(...args)),
    ...now && { now: () => limit(now()) },
  };
  return batch ? withBatch(limited, (calls) => limit(batch.call(store, calls))) : limited;
}

/** Deletes rows that expired before the given time, and returns how many. */
async function sweepRows(
  rows: RedisRows,
  before: number,
  limit: number = defaultSweep,
): Promise<number> {
  const counts = await Promise.all(shards.map((shard) => countUntil(rows, shard, `(${before}`)));
  let left = limit;
  const sweeps = shards.map((shard, n) => {
    const share = Math.min(left, counts[n] ?? 0);
    left -= share;
    return share > 0 ? sweepShard(rows, shard, before, share) : 0;
  });
  return sum(await Promise.all(sweeps));
}

/** Returns the time of one of the servers, in milliseconds. */
async function readTime({ connection, keys }: RedisRows): Promise<number> {
  const [seconds, microseconds] = await connection.send(keys.format, ["TIME"]) as string[];
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
}

/** Counts the rows of a shard that expire before a time. */
async function countUntil(
  { connection, keys }: RedisRows,
  shard: string,
  end: string,
): Promise<number> {
  const key = keys.expiriesOf(shard);
  return Number(await connection.send(key, ["ZCOUNT", key, "-inf", end]));
}

/** Deletes row by row, so that other commands are served in between. */
async function sweepShard(
  { connection, keys, scripts }: RedisRows,
  shard: string,
  before: number,
  limit: number,
): Promise<number> {
  const key = keys.expiriesOf(shard);
  const range = ["-inf", `(${before}`, "LIMIT", "0", `${limit}`];
  const members = await connection.send(key, ["ZRANGEBYSCORE", key, ...range]) as string[];
  const deletions = members.map((member) => {
    const row = keys.ofMember(shard, member);
    return runOnRow(connection, scripts.sweep, row, row.id, `${before}`);
  });
  return sum((await Promise.all(deletions)).map(Number));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
