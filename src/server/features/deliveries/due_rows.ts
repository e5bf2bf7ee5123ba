import type { Context } from "../../issuer/context.ts";
import { idPrefix, idsEnd, joinId, splitId } from "../../issuer/records/row_id.ts";
import type { Table } from "../../issuer/records/table.ts";
import { minute, second } from "../../util/time/duration.ts";

/** How many rows are found at once. */
export const maxDue = 50;

/**
 * How many leads that are due are read for turns of their owners: of the oldest ones, and again of
 * those after them. Of more, each search reads the next ones, so that one owner delays no other.
 */
const maxLeads = 1000;

/**
 * Leads are in steps of this, in milliseconds, and within one by their owners: those of an owner who
 * has enough are skipped.
 */
const step = 10 * second * 1000;

/** For how long a lead that is due waits for its row, in milliseconds: `add` writes it first. */
const rowFollowsWithin = 1 * minute * 1000;

/** What is known about a kind of rows about which something is to be done at a time. */
export interface DueKind<T> {
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

type FoundLead = [id: string, lead: Lead];

/** Rows about which something is to be done at a time, and what leads to them: thousands may wait. */
export function createDueRows<T extends { dueAt: number }>(
  ctx: Context,
  { kind, table, idOf, groupOf, ownerOf }: DueKind<T>,
) {
  const { batch, open } = ctx.records;
  const times = open.plain<Lead>(`${kind}-time`);
  const timeId = (row: T) => {
    const time = Math.ceil(row.dueAt / step) * step;
    return joinId(groupOf(row), String(time).padStart(15, "0"), ownerOf(row), idOf(row));
  };
  const dueAtOf = (leadId: string) => Number(splitId(leadId)[1]);
  const lead = (row: T, expiresAt: number) =>
    times.put(timeId(row), { id: idOf(row), owner: ownerOf(row) }, expiresAt);

  /** Where the last search of a group stopped among the leads after the oldest ones. */
  const searched = new Map<string, string | undefined>();

  async function findLeads(group: string): Promise<FoundLead[]> {
    const oldest = await readLeads(group);
    const end = oldest.stoppedAt;
    const last = searched.get(group) ?? "";
    const later = end === undefined ? undefined : await readLeads(group, last > end ? last : end);
    searched.set(group, later?.stoppedAt);
    const leads = [...oldest.leads, ...later?.leads ?? []];
    return takeTurns(leads, ([, { owner }]) => owner).slice(0, maxDue);
  }

  async function readLeads(
    group: string,
    after?: string,
    leads: FoundLead[] = [],
  ): Promise<{ leads: FoundLead[]; stoppedAt?: string | undefined }> {
    // Of a page whose leads have all expired, none is returned: others may follow.
    for await (const page of times.pages(idPrefix(group), after)) {
      const due = page.filter(([id]) => dueAtOf(id) <= ctx.now());
      leads.push(...due);
      const owners = new Set(leads.map(([, { owner }]) => owner));
      // Those on later pages are due later.
      if (due.length < page.length || owners.size >= maxDue) break;
      if (leads.length >= maxLeads) return { leads, stoppedAt: leads.at(-1)?.[0] };
      const [id = "", last] = page.at(-1) ?? [];
      const ofLast = leads.filter(([, { owner }]) => owner === last?.owner);
      if (ofLast.length >= maxDue) {
        return await readLeads(group, idsEnd(...splitId(id).slice(0, 3)), leads);
      }
    }
    return { leads };
  }

  async function find(group: string): Promise<T[]> {
    const leads = await findLeads(group);
    const rows = await batch(...leads.map(([, { id }]) => table.calls.find(id)));
    // Their rows were postponed, and have other leads, or were deleted. A missing row may still be
    // added: two writes are not atomic together, even in a batch.
    const outdated = leads.filter(([id], at) => {
      const row = rows[at];
      return row ? row.dueAt > ctx.now() : dueAtOf(id) + rowFollowsWithin < ctx.now();
    });
    await batch(...outdated.map(([id]) => times.calls.delete(id)));
    return rows.filter((row) => row !== undefined).filter(({ dueAt }) => dueAt <= ctx.now());
  }

  return {
    /** Adds a row. Returns true to exactly one caller. */
    async add(row: T, expiresAt: number): Promise<boolean> {
      // First: a process may stop in between, and what leads nowhere is deleted.
      await lead(row, expiresAt);
      if (await table.add(idOf(row), row, expiresAt)) return true;
      const earlier = await table.find(idOf(row));
      // The lead of the other caller is another one, unless both chose the same time.
      if (!earlier || timeId(earlier) !== timeId(row)) await times.delete(timeId(row));
      return false;
    },
    /** Lets a row that was postponed be found. */
    lead,
    async delete(row: T): Promise<void> {
      await table.delete(idOf(row));
      await times.delete(timeId(row));
    },
    /**
     * Finds rows of a group that are due, in rounds with one of each owner, the oldest ones first.
     */
    find,
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
