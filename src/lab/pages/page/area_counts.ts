import type { Lab } from "../../control/lab.ts";
import type { Exchange } from "../../recording/exchange.ts";
import type { LabArea } from "../parts/lab_frame.tsx";

/** How much there is to see in an area of the lab. */
export type AreaCounts = Readonly<Partial<Record<LabArea, number>>>;

/** Returns the counters of the top bar. */
export function countAreas(lab: Lab): AreaCounts {
  return {
    flows: lab.flows().length,
    faults: lab.faults.list().length,
    clients: lab.clients.list().length,
    users: lab.users.list().length,
    report: lab.exchanges().filter(isRefused).length,
  };
}

/** Every page has the counter, so it takes no whole report of a busy lab. */
function isRefused({ events, replayOf, isOwnRoute = false }: Exchange): boolean {
  return replayOf === undefined && !isOwnRoute &&
    events.some(({ type }) => type === "request.refused");
}
