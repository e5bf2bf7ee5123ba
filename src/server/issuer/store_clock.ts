import { minute } from "../util/time/duration.ts";
import type { Context } from "./context.ts";

/** The maximum difference to the clock of the store or of another server, in milliseconds. */
export const maxClockDifference = 1 * minute * 1000;

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
