import { defaultSweep } from "../store.ts";
import { type RedisRows, runOnRow } from "./row_access.ts";
import { shards } from "./shards.ts";

/** Deletes rows that expired before the given time, and returns how many. */
export async function sweepRows(
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
export async function readTime({ connection, keys }: RedisRows): Promise<number> {
  const [seconds, microseconds] = await connection.send(keys.format, ["TIME"]) as string[];
  return Number(seconds) * 1000 + Number(microseconds) / 1000;
}

/** Counts all rows. */
export async function countRows(rows: RedisRows): Promise<number> {
  return sum(await Promise.all(shards.map((shard) => countUntil(rows, shard, "+inf"))));
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
