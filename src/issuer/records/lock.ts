import { OAuthError } from "../../protocol/oauth_error.ts";
import { second } from "../../util/duration.ts";
import type { Context } from "../context.ts";
import { joinId } from "./table.ts";

/** The error while another process holds a lock. */
export class LockedError extends OAuthError {
  constructor() {
    super("temporarily_unavailable", "This is being changed right now; try again.", {
      headers: { "Retry-After": "1" },
    });
  }
}

/**
 * In milliseconds. A lock lasts for the rest of its slot and the whole next one, so a process that
 * dies does not hold it for long.
 */
const slotLength = 15 * second * 1000;

/** Reads and rewrites something while no other process that shares the store does the same. */
export async function withLock<T>(ctx: Context, what: string, act: () => Promise<T>): Promise<T> {
  const id = await acquire(ctx, what);
  try {
    return await act();
  } finally {
    await ctx.records.locks.delete(id);
  }
}

/**
 * Each time slot has its own row, so no row has to be taken over from a process that died. The
 * neighbouring slots are read after the row was added: of two processes on both sides of a
 * boundary, at least one sees the other.
 */
async function acquire(ctx: Context, what: string): Promise<string> {
  const { locks } = ctx.records;
  const slot = Math.floor(ctx.now() / slotLength);
  const idOf = (at: number) => joinId(what, String(at));
  const own = idOf(slot);
  if (!await locks.add(own, null, (slot + 2) * slotLength)) throw new LockedError();
  const neighbours = await Promise.all([slot - 1, slot + 1].map((at) => locks.get(idOf(at))));
  if (neighbours.every((row) => row === undefined)) return own;
  await locks.delete(own);
  throw new LockedError();
}
