import type { Context } from "../../issuer/context.ts";
import { fromNow } from "../../issuer/time.ts";
import { createDueRows, type DueKind, maxDue } from "./due_rows.ts";

/** An attempt to deliver something to a client. */
export interface Attempt {
  /** The first attempt is 1. */
  attempt: number;
  /** In milliseconds. */
  dueAt: number;
}

/** What is sent to clients, and how. */
interface DeliveryKind<T extends Attempt> extends DueKind<T> {
  /** How long to wait after each failed attempt, in seconds. The attempt after the last is final. */
  delaysOf(attempt: T): readonly number[];
  /** For how long an attempt is stored after it was due, in seconds. */
  keptFor: number;
  /** Whether it is to be sent at all; otherwise the attempt is forgotten. */
  isWanted?(attempt: T): Promise<boolean>;
  /** Makes an attempt. Returns for how long the client asks to wait for another, if there is one. */
  send(attempt: T, isLast: boolean): Promise<number | undefined>;
}

/** Creates what delivers something, together with other processes that share the store. */
export function createDeliveries<T extends Attempt>(ctx: Context, kind: DeliveryKind<T>) {
  const rows = createDueRows(ctx, kind);

  /** Stores an attempt. Returns true to exactly one caller. */
  const add = (attempt: T) => rows.add(attempt, attempt.dueAt + kind.keptFor * 1000);

  /**
   * Stores the next attempt before making this one: each belongs to one process, and one that stops
   * loses none.
   */
  async function makeOne(made: T): Promise<void> {
    if (await kind.isWanted?.(made) === false) return await rows.delete(made);
    const delays = kind.delaysOf(made);
    const delay = delays[made.attempt - 1];
    const dueAt = fromNow(ctx, delay ?? Math.max(...delays));
    const next = { ...made, attempt: made.attempt + 1, dueAt };
    const isOurs = await add(next);
    // Otherwise another process made it, or one that stopped before this deletion.
    await rows.delete(made);
    if (!isOurs) return;
    const wait = await kind.send(made, delay === undefined);
    await (wait === undefined ? rows.delete(next) : postpone(next, fromNow(ctx, wait)));
  }

  async function postpone(next: T, dueAt: number): Promise<void> {
    const row = dueAt > next.dueAt ? await kind.table.get(kind.idOf(next)) : undefined;
    if (!row) return;
    const postponed = { ...next, dueAt };
    await rows.lead(postponed, row.expiresAt);
    await kind.table.replace(kind.idOf(next), row, postponed);
  }

  /** Makes attempts, a limited number at a time. */
  async function make(attempts: readonly T[]): Promise<void> {
    for (let start = 0; start < attempts.length; start += maxDue) {
      await Promise.all(attempts.slice(start, start + maxDue).map(makeOne));
    }
  }

  /** Makes attempts of a group that are due. */
  async function makeDue(group: string): Promise<"more" | void> {
    const due = await rows.find(group);
    await make(due);
    if (due.length === maxDue) return "more";
  }

  return { add, make, makeDue };
}
