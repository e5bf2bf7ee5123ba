import { hasWords } from "../../../pages/parts/filter_form.tsx";
import { nameOfClient } from "../../../recording/tenant_client.ts";
import type { ClientReport, FindingGroup, RefusedGroup } from "../group_report.ts";

/** Returns what the parameters of the page leave of the report on a client. */
export function filterFindings(report: ClientReport, query: URLSearchParams): ClientReport {
  const [kind, search] = [query.get("kind"), query.get("q")];
  const isAsked = (each: string) => !kind || kind === each;
  const findings = (groups: FindingGroup[]) =>
    groups.filter((group) => hasWords(textOfFindings(group), search));
  return {
    grade: report.grade,
    broken: isAsked("violation") ? findings(report.broken) : [],
    refused: isAsked("refused")
      ? report.refused.filter((group) => hasWords(textOfRefused(group), search))
      : [],
    advice: isAsked("advice") ? findings(report.advice) : [],
  };
}

/** Returns whether a client is shown: without a filter, a faultless one is good news. */
export function isShown(
  { grade, broken, refused, advice }: ClientReport,
  query: URLSearchParams,
): boolean {
  const client = query.get("client");
  if (client && (!grade || nameOfClient(grade) !== client)) return false;
  const isEmpty = broken.length + refused.length + advice.length === 0;
  return !isEmpty || (!query.get("kind") && !query.get("q"));
}

function textOfFindings(group: FindingGroup): string {
  return group.flatMap(({ id, says, seen, parameter }) => [id, says, seen, parameter])
    .filter(Boolean).join(" ");
}

function textOfRefused(group: RefusedGroup): string {
  return group.flatMap(({ error, rule, description, hint, parameter, path }) => [
    error,
    rule,
    description,
    hint,
    parameter,
    path,
  ]).filter(Boolean).join(" ");
}
