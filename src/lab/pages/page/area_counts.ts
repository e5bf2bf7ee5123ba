import type { Lab } from "../../control/lab.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { findingsIn, groupReport } from "../../report/group_report.ts";
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
    report: countFindings(lab),
  };
}

/** The last count, with the latest exchange that it is for: most pages of a lab record nothing. */
let lastCount: { latest: Exchange; findings: number } | undefined;

/** Returns how many findings the report shows. */
function countFindings(lab: Lab): number {
  const latest = lab.exchanges().at(-1);
  if (!latest) return 0;
  if (lastCount?.latest !== latest) {
    lastCount = { latest, findings: findingsIn(groupReport(lab.report())) };
  }
  return lastCount.findings;
}
