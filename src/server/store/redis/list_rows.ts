import { byCodePoint, defaultPage, type ListOptions, type Row } from "../store.ts";
import { getRow, type RedisRows } from "./row_access.ts";
import { shardOf, shards } from "./row_keys.ts";

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

/** The next ids of all shards, in order and without gaps. */
interface NextIds {
  ids: string[];
  /** Whether no ids follow. */
  isLast: boolean;
}

async function nextIds(
  { connection, keys }: RedisRows,
  kind: string,
  asked: readonly string[],
  { after, before, limit: share = defaultPage }: ListOptions,
): Promise<NextIds> {
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
