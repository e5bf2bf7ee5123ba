import { flowPath } from "../../flows/flow_source.ts";
import type { Lab } from "../../lab.ts";

const maxStrikes = 12;

/** A request that a fault struck. */
export interface Strike {
  /** The path of the page that shows the request, in its flow. */
  flow: string;
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
  const { base } = lab.context.settings;
  return lab.requests()
    .filter(({ faults }) => faults.length > 0)
    .slice(-maxStrikes)
    .reverse()
    .map(({ id, at, faults, method, path, client, answer }) => (
      {
        flow: `${base}/lab${flowPath(lab, id)}`,
        at,
        faults,
        method,
        path,
        client,
        status: answer?.status,
      }
    ));
}
