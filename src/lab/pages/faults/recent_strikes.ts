import type { Lab } from "../../lab.ts";

const maxStrikes = 12;

/** A request that a fault struck. */
export interface Strike {
  /** The id of the recorded request. */
  exchange: number;
  /** In milliseconds of the lab's clock. */
  at: number;
  faults: string[];
  method: string;
  path: string;
  client?: string | undefined;
  /** The status that the client got; undefined if the connection broke. */
  status?: number | undefined;
}

/** Returns the last requests that faults struck, the newest first. */
export function recentStrikes(lab: Lab): Strike[] {
  return lab.requests()
    .filter(({ faults }) => faults.length > 0)
    .slice(-maxStrikes)
    .reverse()
    .map(({ id, at, faults, method, path, client, answer }) => (
      { exchange: id, at, faults, method, path, client, status: answer?.status }
    ));
}
