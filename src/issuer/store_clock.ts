import { minute } from "../util/duration.ts";
import type { Context } from "./context.ts";

/** How far our clock may be from that of the store, or of another server, in milliseconds. */
export const clockTolerance: number = 1 * minute * 1000;

/** How our clock compares with the store's. */
export interface ClockComparison {
  /** By how much ours is ahead, in milliseconds. */
  ahead: number;
  /** Whether both are too far apart to delete what has expired by ours: others may need it. */
  differs: boolean;
}

/** Compares our clock with that of the store, if the store has one. */
export async function compareClocks({ records }: Context): Promise<ClockComparison> {
  const ahead = await records.aheadOfStore();
  return { ahead, differs: !(Math.abs(ahead) <= clockTolerance) };
}

/** Returns what an operator has to know of the clocks, or undefined if they agree. */
export async function findClockProblem(ctx: Context): Promise<string | undefined> {
  const { ahead, differs } = await compareClocks(ctx);
  if (!differs) return undefined;
  const seconds = Math.round(Math.abs(ahead) / 1000);
  return `The clock of this server is ${seconds} seconds ${
    ahead > 0 ? "ahead of" : "behind"
  } its ` +
    "store's. It deletes nothing that has expired, and neither adds nor drops signing keys, until " +
    "both agree.";
}
