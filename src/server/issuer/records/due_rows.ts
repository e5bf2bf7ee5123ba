import { day } from "../../util/time/duration.ts";
import { once } from "../../util/time/promises.ts";
import type { Context } from "../context.ts";
import { idPrefix, joinId, splitId } from "./row_id.ts";
import { forever, type Table } from "./table.ts";

/** How many rows are found at once. */
export const maxDue = 50;

/** For how long servers of an earlier version may add rows that no time leads to, or repeat them. */
const earlierRowsFor = 2 * day * 1000;

/** What is known about a kind of rows about which something is to be done at a time. */
interface DueKind<T> {
  kind: string;
  table: Table<T>;
  idOf(row: T): string;
  /** Each group is found by itself; within one, owners take turns. */
  groupOf(row: T): string;
  ownerOf(row: T): string;
}

/** Leads from a time to a row. */
interface Lead {
  id: string;
  owner: string;
}

/** Rows about which something is to be done at a time, and what leads to them: thousands may wait. */
export interface DueRows<T> {
  /** Adds a row. Returns true to exactly one caller. */
  add(row: T, expiresAt: number): Promise<boolean>;
  /** Lets a row that was postponed be found. */
  lead(row: T, expiresAt: number): Promise<void>;
  delete(row: T): Promise<void>;
  /** Finds rows of a group that are due, in rounds with one of each owner, the oldest ones first. */
  find(group: string): Promise<T[]>;
}

export function createDueRows<T extends { dueAt: number }>(
  ctx: Context,
  { kind, table, idOf, groupOf, ownerOf }: DueKind<T>,
): DueRows<T> {
  const { batch, completions, open } = ctx.records;
  const times = open.plain<Lead>(`${kind}-time`);
  const timeId = (row: T) => joinId(groupOf(row), String(row.dueAt).padStart(15, "0"), idOf(row));
  const lead = (row: T, expiresAt: number) =>
    times.put(timeId(row), { id: idOf(row), owner: ownerOf(row) }, expiresAt);

  const listedUntil = once(async () => {
    const at = ctx.now() + earlierRowsFor;
    await completions.add(kind, { passes: 1, at }, forever);
    return (await completions.find(kind))?.at ?? at;
  });

  async function findListed(group: string): Promise<T[]> {
    const due: T[] = [];
    for await (const [, row] of table.each()) {
      if (row.dueAt <= ctx.now() && groupOf(row) === group) due.push(row);
    }
    due.sort((one, other) => one.dueAt - other.dueAt);
    return takeTurns(due, ownerOf).slice(0, maxDue);
  }

  async function findByTime(group: string): Promise<T[]> {
    const isDue = ([id]: [string, unknown]) => Number(splitId(id)[1]) <= ctx.now();
    let due: Array<[id: string, lead: Lead]> = [];
    for await (const page of times.pages(idPrefix(group))) {
      due = page.filter(isDue);
      // Those on later pages are due later.
      break;
    }
    const leads = takeTurns(due, ([, { owner }]) => owner).slice(0, maxDue);
    const rows = await batch(...leads.map(([, { id }]) => table.calls.find(id)));
    const found = rows.map((row) => row && row.dueAt <= ctx.now() ? row : undefined);
    // Their rows were deleted or postponed.
    const outdated = leads.filter((_, at) => found[at] === undefined);
    await batch(...outdated.map(([id]) => times.calls.delete(id)));
    return found.filter((row) => row !== undefined);
  }

  return {
    async add(row, expiresAt) {
      // First: a process may stop in between, and what leads nowhere is deleted.
      await lead(row, expiresAt);
      return await table.add(idOf(row), row, expiresAt);
    },
    lead,
    async delete(row) {
      await table.delete(idOf(row));
      await times.delete(timeId(row));
    },
    find: async (group) =>
      ctx.now() < await listedUntil() ? await findListed(group) : await findByTime(group),
  };
}

/** Orders rows, the oldest of which come first, in rounds with one of each owner. */
export function takeTurns<T>(oldestFirst: readonly T[], ownerOf: (row: T) => string): T[] {
  const rounds = new Map<string, number>();
  const inRounds = oldestFirst.map((row) => {
    const owner = ownerOf(row);
    const round = rounds.get(owner) ?? 0;
    rounds.set(owner, round + 1);
    return { row, round };
  });
  return inRounds.sort((one, other) => one.round - other.round).map(({ row }) => row);
}
