import { isRefused, labelOf, rankOf } from "../../findings/finding.ts";
import { isSameClient } from "../../recording/tenant_client.ts";
import { groupBy } from "../../util/lists.ts";
import type { Reported } from "./refused_requests.ts";
import type { Report } from "./report.ts";
import type { ReportedClient } from "./reported_clients.ts";

export interface ClientReport {
  /** None for requests that name no client. */
  client?: ReportedClient | undefined;
  /** What needs work first comes first. */
  groups: FindingGroup[];
}

/** Findings that are alike; there is at least one. */
export type FindingGroup = [first: Reported, ...more: Reported[]];

/** How a refused request is labelled that has worked since. */
export const acceptedSince = "Refused at first, accepted since";

/** Groups a report by client: first what names one. */
export function groupReport({ clients, findings, refused }: Report): ClientReport[] {
  const all = [...findings, ...refused];
  const named = clients.map((client): ClientReport => ({
    client,
    groups: groupFindings(withoutEffects(all.filter(({ where }) => isSameClient(where, client)))),
  }));
  const rest = all.filter(({ where }) => !clients.some((client) => isSameClient(client, where)));
  return rest.length === 0 ? named : [...named, { groups: groupFindings(rest) }];
}

/**
 * Leaves out what a worse finding already tells: what else is wrong with the parameter of a request
 * that it is about, and that a refused code brought no tokens.
 */
function withoutEffects(findings: readonly Reported[]): Reported[] {
  const told = new Set<string>();
  const isTold = ({ id, where: { parameter, exchanges = [] } }: Reported) =>
    exchanges.some((at) => told.has(id === "code-not-redeemed" ? `${at}` : `${at} ${parameter}`));
  const left = new Set<Reported>();
  const ranks = new Set(findings.map(rankOf).toSorted());
  for (const rank of ranks) {
    const alike = findings.filter((each) => rankOf(each) === rank && !isTold(each));
    for (const each of alike) {
      const { parameter, exchanges = [] } = each.where;
      for (const at of exchanges) told.add(`${at}`).add(`${at} ${parameter}`);
      left.add(each);
    }
  }
  return findings.filter((each) => left.has(each));
}

/** Returns how many findings several reports have, each of which may be several requests. */
export function countGroups(reports: ReadonlyArray<{ groups: readonly unknown[] }>): number {
  return reports.reduce((sum, { groups }) => sum + groups.length, 0);
}

/** Groups findings by rule, and refused requests by their reason; what works now comes last. */
export function groupFindings(findings: readonly Reported[]): FindingGroup[] {
  const groups = groupBy(
    findings,
    (each) => {
      const { id, title, where, resolved } = each;
      const asked = isRefused(each) ? [title, where.request, resolved] : [];
      return JSON.stringify([labelOf(each), id, ...asked]);
    },
  );
  return groups.sort(([one], [other]) => placeOf(one) - placeOf(other));
}

function placeOf(finding: Reported): number {
  return 2 * rankOf(finding) + Number(finding.resolved ?? false);
}
