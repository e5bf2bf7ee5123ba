import { day } from "../../util/time/duration.ts";
import { byCodePoint, defaultPage, type ListOptions, type Row, type Store } from "../store.ts";
import { readValue } from "../store_errors.ts";
import type { RedisConnection } from "./connection.ts";
import { type KeyNames, type RowKeys, shardOf, shards } from "./row_keys.ts";
import type { ChangeName, Script, Scripts } from "./scripts.ts";

const columns = ["value", "expiresAt", "usedAt"] as const;

/**
 * How long after its end a row stays for Redis itself to delete, in milliseconds: longer than a
 * clock is wrong unnoticed.
 */
const expiryMargin = 7 * day * 1000;

/** What every operation on rows works with. */
export interface RedisRows {
  connection: RedisConnection;
  keys: KeyNames;
  scripts: Scripts;
  /** Whether Redis deletes rows itself, long after they have expired. */
  engineExpiry: boolean;
}

export async function getRow(
  { connection, keys }: RedisRows,
  kind: string,
  id: string,
): Promise<Row | undefined> {
  const { row } = keys.ofRow(kind, id);
  const reply = await connection.send(row, ["HMGET", row, ...columns]);
  return toRow(reply, kind, id);
}

/** Reads the columns of a row; undefined if there is none. */
export function toRow(reply: unknown, kind: string, id: string): Row | undefined {
  const [value, expiresAt, usedAt] = reply as Array<string | null>;
  if (typeof value !== "string") return undefined;
  return {
    value: readValue(value, kind, id),
    expiresAt: Number(expiresAt),
    ...typeof usedAt === "string" && { usedAt: Number(usedAt) },
  };
}

export async function runOnRow(
  connection: RedisConnection,
  script: Script,
  { row, ids, expiries, member }: RowKeys,
  id: string,
  ...args: string[]
): Promise<unknown> {
  return await runScript(connection, script, [row, ids, expiries], [id, member, ...args]);
}

/** Runs a script by its digest, or by its text on a server that does not know it yet. */
export async function runScript(
  connection: RedisConnection,
  { text, digest }: Script,
  keys: readonly [string, ...string[]],
  args: readonly string[],
): Promise<unknown> {
  const rest = [`${keys.length}`, ...keys, ...args];
  try {
    return await connection.send(keys[0], ["EVALSHA", digest, ...rest]);
  } catch (cause) {
    if (!(cause instanceof Error) || !cause.message.startsWith("NOSCRIPT")) throw cause;
    return await connection.send(keys[0], ["EVAL", text, ...rest]);
  }
}

/** A change of a row: a script, and what it takes. */
export interface RowChange {
  name: ChangeName;
  row: RowKeys;
  id: string;
  /** What the script takes after the keys, id and member. */
  args: string[];
}

export type RowChanges = ReturnType<typeof createRowChanges>;

export function createRowChanges({ keys, engineExpiry }: RedisRows) {
  const change = (name: ChangeName, kind: string, id: string, ...args: string[]): RowChange => (
    { name, row: keys.ofRow(kind, id), id, args }
  );

  function engineExpiryOf(expiresAt: number): string {
    return engineExpiry ? `${Math.ceil(expiresAt + expiryMargin)}` : "";
  }

  function argumentsOf(row: Row): string[] {
    return [...columnsOf(row), engineExpiryOf(row.expiresAt)];
  }

  return {
    put: (...[kind, id, row, { replaces } = {}]: Parameters<Store["put"]>) =>
      replaces
        ? change("replace", kind, id, ...argumentsOf(row), ...columnsOf(replaces))
        : change("put", kind, id, ...argumentsOf(row)),
    add: (kind: string, id: string, row: Row) => change("add", kind, id, ...argumentsOf(row)),
    consume: (...[kind, id, at, keepUntil]: Parameters<Store["consume"]>) =>
      change("consume", kind, id, `${at}`, `${keepUntil}`, engineExpiryOf(keepUntil)),
    delete: (kind: string, id: string) => change("delete", kind, id),
  };
}

function columnsOf({ value, expiresAt, usedAt }: Row): string[] {
  return [JSON.stringify(value), `${expiresAt}`, `${usedAt ?? ""}`];
}

/** Lists the rows of a kind. Each shard has its own order, and the pages of all are merged. */
export async function listRows(
  rows: RedisRows,
  kind: string,
  { after, before, limit = defaultPage }: ListOptions = {},
): Promise<Array<[id: string, row: Row]>> {
  const found: Array<[string, Row]> = [];
  const asked = shardsOf(kind, after, before);
  let position = after;
  // Most pages are complete with twice the fair share of each shard. If not, ask for more.
  let share = Math.min(Math.ceil((2 * limit) / asked.length), limit);
  while (found.length < limit) {
    const range = { after: position, before, limit: share };
    const { ids, isLast } = await nextIds(rows, kind, asked, range);
    found.push(...await readRows(rows, kind, ids.slice(0, limit - found.length)));
    if (isLast) return found;
    position = ids.at(-1);
    share = Math.min(2 * share, limit);
  }
  return found;
}

/** Returns where ids of a range may be: in one shard if all have the same first part. */
export function shardsOf(kind: string, after = "", before = ""): readonly string[] {
  const prefix = after.slice(0, after.indexOf("/") + 1);
  return prefix !== "" && before.startsWith(prefix) ? [shardOf(kind, prefix)] : shards;
}

/** Returns where a range begins and ends, as Redis reads it. */
export function rangeOf(after?: string, before?: string): [start: string, end: string] {
  return [after === undefined ? "-" : `(${after}`, before === undefined ? "+" : `(${before}`];
}

async function nextIds(
  { connection, keys }: RedisRows,
  kind: string,
  asked: readonly string[],
  { after, before, limit: share = defaultPage }: ListOptions,
): Promise<{
  ids: string[];
  /** Whether no ids follow. */
  isLast: boolean;
}> {
  const range = rangeOf(after, before);
  const pages = await Promise.all(asked.map(async (shard) => {
    const key = keys.idsOf(shard, kind);
    const limit = ["LIMIT", "0", `${share}`];
    return await connection.send(key, ["ZRANGEBYLEX", key, ...range, ...limit]) as string[];
  }));
  // A shard with a full page may have more ids after it, which belong before those of others.
  const ends = pages.flatMap((page) => page.length < share ? [] : page.slice(-1));
  const [last] = ends.sort(byCodePoint);
  const ids = pages.flat().sort(byCodePoint);
  if (last === undefined) return { ids, isLast: true };
  return { ids: ids.filter((id) => byCodePoint(id, last) <= 0), isLast: false };
}

/** Reads rows. One that was deleted meanwhile is left out. */
async function readRows(
  rows: RedisRows,
  kind: string,
  ids: readonly string[],
): Promise<Array<[id: string, row: Row]>> {
  const read = await Promise.all(ids.map((id) => getRow(rows, kind, id)));
  return ids.flatMap((id, n) => {
    const row = read[n];
    return row ? [[id, row] as [string, Row]] : [];
  });
}
