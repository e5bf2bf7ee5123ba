import { second } from "../../util/time/duration.ts";
import type { Context } from "../context.ts";
import { LockedError } from "./locked_error.ts";
import { joinId } from "./row_id.ts";

/**
 * In milliseconds. A lock expires at the end of the next slot, so a process that dies does not hold
 * it for long.
 */
const slotLength = 15 * second * 1000;

/**
 * Runs an action while holding a lock, so that no other process with the same store changes the
 * same data. Throws a LockedError at once if the lock is held. An action that stalls outlives its
 * lock, so rows that others change are written by `replace` all the same.
 */
export async function withLock<T>(
  ctx: Context,
  name: string,
  action: () => Promise<T>,
): Promise<T> {
  const id = await acquire(ctx, name);
  try {
    return await action();
  } finally {
    await ctx.records.locks.delete(id);
  }
}

/**
 * Adds the row of a lock, and returns its id. Each time slot has a separate row, so the row of a
 * process that died simply expires.
 *
 * Two processes may add rows in adjacent slots at the same time. Each one adds its row first and
 * then reads the neighbours, so at least one of them sees the other and gives up.
 */
async function acquire(ctx: Context, name: string): Promise<string> {
  const { locks } = ctx.records;
  const slot = Math.floor(ctx.now() / slotLength);
  const rowId = (slot: number) => joinId(name, String(slot));
  const ownId = rowId(slot);
  if (!await locks.add(ownId, null, (slot + 2) * slotLength)) throw new LockedError();
  const neighbours = await Promise.all([slot - 1, slot + 1].map((each) => locks.get(rowId(each))));
  if (neighbours.every((row) => row === undefined)) return ownId;
  await locks.delete(ownId);
  throw new LockedError();
}
