import { OAuthError } from "../../protocol/oauth_error.ts";
import type { Context } from "../context.ts";
import { joinedId } from "./joined_id.ts";

/** Somebody else holds the lock at the moment. */
export class LockedError extends OAuthError {
  constructor() {
    super("temporarily_unavailable", "This is being changed at the moment; try again.", {
      headers: { "Retry-After": "1" },
    });
  }
}

/** In milliseconds. A lock is held for the rest of its slot and the whole next one: a process that dies holds it no longer. */
const slotLength = 15_000;

/** Reads something and writes it anew, while no other process that shares the store does the same. */
export async function withLock<T>(ctx: Context, what: string, act: () => Promise<T>): Promise<T> {
  const id = await acquire(ctx, what);
  try {
    return await act();
  } finally {
    await ctx.records.locks.delete(id);
  }
}

/**
 * Each slot of time has a row of its own, so that no row has to be taken over from a process that died. The neighbours are
 * looked at after the own row was added: of two processes on both sides of a border at least one sees the other.
 */
async function acquire(ctx: Context, what: string): Promise<string> {
  const { locks } = ctx.records;
  const slot = Math.floor(ctx.now() / slotLength);
  const idOf = (at: number) => joinedId(what, String(at));
  const own = idOf(slot);
  if (!await locks.add(own, null, (slot + 2) * slotLength)) throw new LockedError();
  const neighbours = await Promise.all([slot - 1, slot + 1].map((at) => locks.get(idOf(at))));
  if (neighbours.every((row) => row === undefined)) return own;
  await locks.delete(own);
  throw new LockedError();
}
