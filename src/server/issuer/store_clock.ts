import { hour, minute } from "../util/time/duration.ts";
import type { Context } from "./context.ts";
import { forever } from "./records/table.ts";

/** The maximum difference to the clock of the store or of another server, in milliseconds. */
export const maxClockDifference = 1 * minute * 1000;

/** How long a new time must last until it counts, in milliseconds. A shorter pause is no jump. */
const settledAfter = 1 * hour * 1000;

/** How often the time is noted in the store, in milliseconds. */
const noteInterval = 10 * minute * 1000;

/** The row that has the latest time. */
const noteId = "sweep";

/** Compares this server's clock with the store's, if the store has one. */
export async function compareClocks({ records }: Context): Promise<{
  /** How far this server's clock is ahead, in milliseconds. */
  ahead: number;
  /** Whether they differ too much to delete expired rows: other servers may still need them. */
  differs: boolean;
}> {
  const ahead = await records.aheadOfStore();
  return { ahead, differs: !(Math.abs(ahead) <= maxClockDifference) };
}

/** Returns why the clocks are a problem, for the operator, or undefined if they agree. */
export async function findClockProblem(ctx: Context): Promise<string | undefined> {
  const { ahead, differs } = await compareClocks(ctx);
  if (!differs) return undefined;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  const direction = ahead > 0 ? "ahead of" : "behind";
  return `The clock of this server is ${seconds} seconds ${direction} its store's. It deletes ` +
    "nothing that has expired, and neither adds nor drops signing keys, until both agree.";
}

/**
 * Creates a check of whether the present time has lasted for an hour. The clock of a machine may be
 * set together with that of the store there, and while no server runs: so the time is noted in the
 * store. A pause looks like a jump, and ends with the same hour.
 */
export function createSettledCheck(elapsed: () => number = () => performance.now()) {
  /** What the clock showed when nothing had elapsed. */
  let start: number | undefined;
  return async ({ records: { clockNotes }, settings, now }: Context): Promise<boolean> => {
    // The rows of such a store end with its process, or its clock is none of a machine.
    if (!settings.store.now) return true;
    const time = now();
    const note = await clockNotes.find(noteId);
    const expected = start === undefined ? note?.at : start + elapsed();
    start = time - elapsed();
    const isSteady = expected !== undefined && Math.abs(time - expected) < settledAfter;
    const since = isSteady && note && note.since <= time ? note.since : time;
    if (since === time || !note || Math.abs(time - note.at) >= noteInterval) {
      await clockNotes.put(noteId, { at: time, since }, forever);
    }
    return time - since >= settledAfter;
  };
}
