import { hasWords } from "../../../pages/parts/long_list.tsx";
import { nameOfClient } from "../../../recording/tenant_client.ts";
import type { ClientReport, FindingGroup } from "../group_report.ts";

/** Returns what the parameters of the page leave of the report on a client. */
export function filterFindings(
  { grade, groups }: ClientReport,
  query: URLSearchParams,
): ClientReport {
  const [kind, search] = [query.get("kind"), query.get("q")];
  const isAsked = (group: FindingGroup) => !kind || kind === group[0].level;
  return {
    grade,
    groups: groups.filter((group) => isAsked(group) && hasWords(textOf(group), search)),
  };
}

/** Returns whether a client is shown: without a filter, a faultless one is good news. */
export function isShown({ grade, groups }: ClientReport, query: URLSearchParams): boolean {
  const client = query.get("client");
  if (client && (!grade || nameOfClient(grade) !== client)) return false;
  return groups.length > 0 || (!query.get("kind") && !query.get("q"));
}

function textOf(group: FindingGroup): string {
  return group.flatMap(({ id, title, received, expected, where: { request, parameter } }) => [
    id,
    title,
    received,
    expected,
    request,
    parameter,
  ]).filter(Boolean).join(" ");
}
