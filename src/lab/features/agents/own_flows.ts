import { printable } from "../../../server/util/text/printable.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { type Finding, isRefused, isViolation } from "../../findings/finding.ts";
import { filterFlows, type FlowLists, type ListedFlow } from "../../pages/flows/flow_filter.ts";
import { isProvoked } from "../../recording/recorder.ts";

/** Lists flows as their page does, without those of drills. */
export function listOwnFlows(lab: CoreLab, query = new URLSearchParams()): FlowLists {
  const lists = filterFlows(lab, query);
  return { ...lists, flows: lists.flows.filter(({ drill }) => drill === undefined) };
}

/** Lists the flows of an application, also of a drill that had provoked nothing yet. */
export function listUnprovokedFlows(lab: CoreLab, query: URLSearchParams): ListedFlow[] {
  const drilled = new Set(lab.exchanges().filter(isProvoked).map(({ id }) => id));
  const others = lab.flows().filter(({ steps }) =>
    steps.some((each) => drilled.has(each.exchange))
  );
  const ids = new Set(others.map(({ id }) => id));
  return filterFlows(lab, query).flows.filter(({ id }) => !ids.has(id));
}

/** Finds a later flow of a client that ended well: what was wrong with a request may be fixed. */
export function findLaterSuccess(
  lab: CoreLab,
  client: string,
  request: number,
): ListedFlow | undefined {
  const later = lab.flows().filter(({ steps }) => (steps[0]?.exchange ?? 0) > request);
  return listUnprovokedFlows(lab, new URLSearchParams({ client }))
    .find(({ id, outcome }) => outcome.kind === "good" && later.some((each) => each.id === id));
}

/** Names the clients that ended a flow well after the last request that findings are about. */
export function describeLaterSuccess(lab: CoreLab, findings: readonly Finding[]): string[] {
  const requests = new Map<string, number>();
  for (const finding of findings) {
    const { client, exchanges = [] } = finding.where;
    if (client === undefined || !isRefused(finding) && !isViolation(finding)) continue;
    requests.set(client, Math.max(requests.get(client) ?? 0, ...exchanges));
  }
  return [...requests].flatMap(([client, request]) => {
    const flow = findLaterSuccess(lab, client, request);
    if (!flow) return [];
    return [
      `What is wrong with ${printable(client)} may be fixed: a later login of this client ` +
      `succeeded (${flow.id}).`,
    ];
  });
}
